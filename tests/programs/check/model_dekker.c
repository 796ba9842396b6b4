// expect: verified
// selvedge: --model sc
// Dekker's algorithm with relaxed accesses: right as long as memory is sequentially consistent
// also: --model tso => assertion line 70
//   both wishes are in buffers when the threads look at each other, so both enter and one increment is lost
// also: --model pso => assertion line 70
//   as under TSO: both wishes are in buffers when the threads look at each other, so both enter and one
//   increment is lost
// also: -- -DFENCES => verified
//   fences change nothing under sequential consistency
// also: --model tso -- -DFENCES => verified
//   with fences: who wants to enter is seen before it looks
// also: --model pso -- -DFENCES => verified
//   with fences: who wants to enter is seen before it looks; the release store keeps the increment before
//   the unlock
// also: --model rc11 => assertion line 70
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

static atomic_int wants[2], turn;
static atomic_int x;

static void lock(int me)
{
    int other = 1 - me;
    STORE(wants[me], 1);
    FENCE();
    while (LOAD(wants[other])) {
        if (LOAD(turn) != me) {
            STORE(wants[me], 0);
            while (LOAD(turn) != me) {
            }
            STORE(wants[me], 1);
            FENCE();
        }
    }
}

static void unlock(int me)
{
    STORE(turn, 1 - me);
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
