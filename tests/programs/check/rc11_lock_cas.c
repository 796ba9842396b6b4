// expect: verified
// selvedge: --model rc11
// a lock that compares and exchanges
// also: --model rc11 -- -DTHREADS=3 => verified
// also: --model rc11 -- -DUNLOCK=memory_order_relaxed => data-race line 30
// also: --model rc11 -- -DSUCCESS=memory_order_relaxed => data-race line 30
//   only the order of success matters
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef SUCCESS
#define SUCCESS memory_order_acquire
#endif
#ifndef UNLOCK
#define UNLOCK memory_order_release
#endif

static atomic_int owner;
static int x;

static void *worker(void *arg)
{
    int nobody = 0;
    while (!atomic_compare_exchange_weak_explicit(&owner, &nobody, 1, SUCCESS, memory_order_relaxed))
        nobody = 0;
    x++;
    atomic_store_explicit(&owner, 0, UNLOCK);
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
