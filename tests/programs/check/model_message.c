// expect: verified
// selvedge: --model sc
// message passing with atomic data: who sees the flag sees the data
// also: --model tso => verified
//   stores stay in order
// also: --model pso => assertion line 45
//   the flag may be in memory before the data
// also: --model tso -- -DORDERED => verified
//   release and acquire, which need nothing here
// also: --model pso -- -DORDERED => verified
//   a release store of the flag comes after the data
// also: --model pso -- -DRELEASE_FENCE => verified
//   a release fence keeps the data before the flag
// also: --model rc11 => assertion line 45
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE_FENCE
#define FENCE() atomic_thread_fence(memory_order_release)
#else
#define FENCE() ((void)0)
#endif
#ifdef ORDERED
enum { SEND = memory_order_release, RECEIVE = memory_order_acquire };
#else
enum { SEND = memory_order_relaxed, RECEIVE = memory_order_relaxed };
#endif

static atomic_int data, flag;

static void *sender(void *arg)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    FENCE();
    atomic_store_explicit(&flag, 1, SEND);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    if (atomic_load_explicit(&flag, RECEIVE))
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    pthread_join(t, NULL);
    return 0;
}
