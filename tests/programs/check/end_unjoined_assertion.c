// expect: assertion line 12
// a failure in a thread that nobody joins is found although main returns
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    int before = atomic_fetch_add(&x, 1);
    assert(before == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_fetch_add(&x, 1);
    return 0;
}
