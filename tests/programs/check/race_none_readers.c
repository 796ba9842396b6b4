// expect: verified
// two readers of a plain variable do not race
#include <assert.h>
#include <pthread.h>

static int value;

static void *reader(void *arg)
{
    assert(value == 3);
    return arg;
}

int main(void)
{
    pthread_t t;
    value = 3;
    pthread_create(&t, NULL, reader, NULL);
    reader(NULL);
    pthread_join(t, NULL);
    return 0;
}
