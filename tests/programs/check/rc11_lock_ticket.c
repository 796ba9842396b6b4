// expect: verified
// selvedge: --model rc11
// a ticket lock: the number may be taken without order, what is waited for must be acquired
// also: --model rc11 -- -DTHREADS=3 => verified
// also: --model rc11 -- -DWAIT=memory_order_relaxed => data-race line 29
// also: --model rc11 -- -DUNLOCK=memory_order_relaxed => data-race line 29
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef WAIT
#define WAIT memory_order_acquire
#endif
#ifndef UNLOCK
#define UNLOCK memory_order_release
#endif

static atomic_uint tickets, serving;
static int x;

static void *worker(void *arg)
{
    unsigned mine = atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, WAIT) != mine) {
    }
    x++;
    atomic_store_explicit(&serving, mine + 1, UNLOCK);
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
