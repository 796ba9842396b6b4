// expect: assertion line 12
// pthread_exit in main: a failure that comes later in another thread is found
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    int seen = atomic_load(&x);
    assert(seen != 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    pthread_exit(NULL);
}
