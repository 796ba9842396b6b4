// expect: verified
// neighbouring fields of a struct, even single bytes, are different memory locations
#include <assert.h>
#include <pthread.h>

static struct {
    char a, b;
    short c;
} shared;

static void *worker(void *arg)
{
    shared.a = 1;
    shared.c = 3;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    shared.b = 2;
    pthread_join(t, NULL);
    assert(shared.a + shared.b + shared.c == 6);
    return 0;
}
