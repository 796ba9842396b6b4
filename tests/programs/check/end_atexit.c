// expect: verified
// an exit handler runs while another thread may still be going
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void handler(void)
{
    assert(atomic_load(&x) <= 1);
}

static void *worker(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    atexit(handler);
    pthread_create(&t, NULL, worker, NULL);
    return 0;
}
