// expect: verified
// increment by a weak compare-exchange; the value is loaded anew each time
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    int seen;
    do {
        seen = atomic_load_explicit(&x, memory_order_relaxed);
    } while (!atomic_compare_exchange_weak(&x, &seen, seen + 1));
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
