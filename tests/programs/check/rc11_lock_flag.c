// expect: verified
// selvedge: --model rc11
// a lock made of an atomic_flag, which spins on a plain look first (test and test-and-set)
// also: --model rc11 -- -DTHREADS=3 => verified
// also: --model rc11 -- -DNEVER => livelock line 21
//   nobody gives it back
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif

static atomic_bool taken;
static int x;

static void *worker(void *arg)
{
    do {
        while (atomic_load_explicit(&taken, memory_order_relaxed)) {
        }
    } while (atomic_exchange_explicit(&taken, 1, memory_order_acquire));
    x++;
#ifndef NEVER
    atomic_store_explicit(&taken, 0, memory_order_release);
#endif
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
