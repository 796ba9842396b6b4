// expect: verified
// create, join, and the value a thread returns
#include <assert.h>
#include <pthread.h>

static void *twice(void *arg)
{
    *(int *)arg *= 2;
    return arg;
}

int main(void)
{
    pthread_t t;
    int number = 21;
    void *result;
    pthread_create(&t, NULL, twice, &number);
    assert(pthread_join(t, &result) == 0);
    assert(result == &number && number == 42);
    return 0;
}
