// expect: verified
// selvedge: --model rc11
// a test-and-set lock of one's own: the exchange acquires, the store releases
// also: --model ra -- -DUNLOCK=memory_order_relaxed => data-race line 30
//   under this model the loads see what was stored, but the orders still say what is a race
// also: --model rc11 -- -DUNLOCK=memory_order_relaxed => data-race line 30
// also: --model rc11 -- -DLOCK=memory_order_relaxed => data-race line 30
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef LOCK
#define LOCK memory_order_acquire
#endif
#ifndef UNLOCK
#define UNLOCK memory_order_release
#endif

static atomic_int taken;
static int x;

static void *worker(void *arg)
{
    while (atomic_exchange_explicit(&taken, 1, LOCK)) {
    }
    x++;
    atomic_store_explicit(&taken, 0, UNLOCK);
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(x == THREADS);
    return 0;
}
