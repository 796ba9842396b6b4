// expect: verified
// selvedge: --model sc
// the algorithm of Burns and Lynch for two, with relaxed accesses: thread 1 gives way to thread 0, which
// waits for thread 1 to leave; right as long as memory is sequentially consistent
// also: --model tso => assertion line 74
//   both bits are in buffers when the threads look at each other, so both enter and one increment is lost
// also: --model pso => assertion line 74
//   as under TSO: both bits are in buffers when the threads look at each other, so both enter and one
//   increment is lost
// also: -- -DFENCES => verified
//   fences change nothing under sequential consistency
// also: --model tso -- -DFENCES => verified
//   with fences: a bit is in memory before its thread looks at the other
// also: --model pso -- -DFENCES => verified
//   with fences: a bit is in memory before its thread looks at the other; the release store keeps the
//   increment before the unlock
// also: --model rc11 => assertion line 74
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif
#define LOAD(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)
#define RELEASE(variable, value) atomic_store_explicit(&(variable), value, memory_order_release)

static atomic_int wants[2];
static atomic_int x;

static void lock(int me)
{
    if (me == 0) {
        STORE(wants[0], 1);
        FENCE();
        while (LOAD(wants[1])) {
        }
        return;
    }
    for (;;) {
        while (LOAD(wants[0])) {
        }
        STORE(wants[1], 1);
        FENCE();
        if (!LOAD(wants[0]))
            return;
        STORE(wants[1], 0);
    }
}

static void unlock(int me)
{
    RELEASE(wants[me], 0);
}

static void *worker(void *arg)
{
    int me = arg != NULL;
    lock(me);
    STORE(x, LOAD(x) + 1);
    unlock(me);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, &t);
    worker(NULL);
    pthread_join(t, NULL);
    assert(LOAD(x) == 2);
    return 0;
}
