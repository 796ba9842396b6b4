// expect: assertion line 20
// x = x + 1 on an _Atomic variable is a load and a store
#include <assert.h>
#include <pthread.h>

static _Atomic int x;

static void *worker(void *arg)
{
    x = x + 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
