// expect: verified
// increment by a compare-exchange that is tried again
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    int seen = atomic_load(&x);
    while (!atomic_compare_exchange_strong(&x, &seen, seen + 1)) {
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(atomic_load(&x) == 2);
    return 0;
}
