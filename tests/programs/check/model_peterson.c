// expect: verified
// selvedge: --model sc
// Peterson's algorithm with relaxed accesses: right as long as memory is sequentially consistent
// also: --model tso => assertion line 74
//   both announcements are in buffers when the threads look at each other, so both enter and one increment
//   is lost
// also: --model pso => assertion line 74
//   as under TSO: both announcements are in buffers when the threads look at each other, so both enter and
//   one increment is lost
// also: -- -DFENCES => verified
//   fences change nothing under sequential consistency
// also: --model tso -- -DFENCES => verified
//   with fences: each announcement is in memory before the next and before the thread looks
// also: --model pso -- -DFENCES => verified
//   with fences: each announcement is in memory before the next and before the thread looks; the release
//   store keeps the increment before the unlock
// also: --model tso -- -DFENCES -DONE_FENCE => verified
//   one fence before the loop is enough: the two stores before it stay in order
// also: --model pso -- -DFENCES -DONE_FENCE => assertion line 74
//   one fence before the loop is not enough: the turn may be in memory before the wish, and the other thread
//   enters in between
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
#ifdef ONE_FENCE
#define FIRST_FENCE() ((void)0)
#else
#define FIRST_FENCE() FENCE()
#endif

static atomic_int wants[2], turn;
static atomic_int x;

static void lock(int me)
{
    STORE(wants[me], 1);
    FIRST_FENCE();
    STORE(turn, 1 - me);
    FENCE();
    while (LOAD(wants[1 - me]) && LOAD(turn) == 1 - me) {
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
