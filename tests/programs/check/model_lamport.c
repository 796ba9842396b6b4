// expect: verified
// selvedge: --model sc
// Lamport's fast mutual exclusion with relaxed accesses: right as long as memory is sequentially consistent
// also: --model tso => assertion line 80
//   everything is in buffers when the threads look around, and each reads its own number back, so both enter
//   and one increment is lost
// also: --model pso => assertion line 80
//   as under TSO: everything is in buffers when the threads look around, and each reads its own number back,
//   so both enter and one increment is lost
// also: -- -DFENCES => verified
//   fences change nothing under sequential consistency
// also: --model tso -- -DFENCES => verified
//   with fences: what a thread announces is in memory before it looks
// also: --model pso -- -DFENCES => verified
//   with fences: what a thread announces is in memory before it looks; the release store keeps the increment
//   before the unlock
// also: --model rc11 => assertion line 80
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

static atomic_int first, second; // numbers of threads from 1; second is 0 if the way is free
static atomic_int busy[2];
static atomic_int x;

static void lock(int me)
{
    for (;;) {
        STORE(busy[me], 1);
        STORE(first, me + 1);
        FENCE();
        if (LOAD(second) == 0) {
            STORE(second, me + 1);
            FENCE();
            if (LOAD(first) == me + 1)
                return;
            STORE(busy[me], 0);
            while (LOAD(busy[1 - me])) {
            }
            if (LOAD(second) == me + 1)
                return;
        } else {
            STORE(busy[me], 0);
        }
        while (LOAD(second) != 0) {
        }
    }
}

static void unlock(int me)
{
    RELEASE(second, 0);
    RELEASE(busy[me], 0);
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
