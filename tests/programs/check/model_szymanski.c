// expect: verified
// selvedge: --model sc
// Szymanski's algorithm for two, with relaxed accesses: right as long as memory is sequentially consistent; a
// thread that would have to wait is not considered further, because without fences some wait for ever
// also: --model tso => assertion line 81
//   the states are in buffers when the threads look at each other, so both enter and one increment is lost
// also: --model pso => assertion line 81
//   as under TSO: the states are in buffers when the threads look at each other, so both enter and one
//   increment is lost
// also: -- -DFENCES => verified
//   fences change nothing under sequential consistency
// also: --model tso -- -DFENCES => verified
//   with fences: each state is in memory before its thread looks at the other
// also: --model pso -- -DFENCES => verified
//   with fences: each state is in memory before its thread looks at the other; the release store keeps the
//   increment before the unlock
// also: --model rc11 => assertion line 81
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>

#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif
#define LOAD(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)
#define RELEASE(variable, value) atomic_store_explicit(&(variable), value, memory_order_release)

enum { OUTSIDE, WANTS, WAITS, AT_DOOR, IN };

static atomic_int state[2];
static atomic_int x;

static void become(int me, int next)
{
    STORE(state[me], next);
    FENCE();
}

static void lock(int me)
{
    int other = 1 - me;
    become(me, WANTS);
    selvedge_assume(LOAD(state[other]) < AT_DOOR);
    become(me, AT_DOOR);
    if (LOAD(state[other]) == WANTS) {
        become(me, WAITS);
        selvedge_assume(LOAD(state[other]) == IN);
    }
    become(me, IN);
    selvedge_assume(me == 0 || LOAD(state[0]) < WAITS);
}

static void unlock(int me)
{
    if (me == 0) {
        int seen = LOAD(state[1]);
        selvedge_assume(seen != WAITS && seen != AT_DOOR);
    }
    RELEASE(state[me], OUTSIDE);
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
