// expect: verified
// stdatomic: a failed compare-exchange brings the value that was there
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int x;

static void *worker(void *arg)
{
    int me = arg ? 1 : 2, seen = 0;
    bool won = atomic_compare_exchange_strong_explicit(&x, &seen, me, memory_order_acq_rel,
                                                       memory_order_acquire);
    assert(won ? seen == 0 : seen == 3 - me);
    assert(atomic_load(&x) == (won ? me : seen));
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, &x);
    worker(NULL);
    pthread_join(t, NULL);
    return 0;
}
