// expect: verified
// selvedge: --model sc
// Lamport's bakery for two, with relaxed accesses: right as long as memory is sequentially consistent
// also: --model tso => assertion line 71
//   nobody sees that the other has drawn a number, so both enter and one increment is lost
// also: --model pso => assertion line 71
//   as under TSO: nobody sees that the other has drawn a number, so both enter and one increment is lost
// also: -- -DFENCES => verified
//   fences change nothing under sequential consistency
// also: --model tso -- -DFENCES => verified
//   with fences: that a number is drawn is seen before, and the number itself before its thread looks at the
//   other
// also: --model pso -- -DFENCES => verified
//   with fences: that a number is drawn is seen before, and the number itself before its thread looks at the
//   other; the release store keeps the increment before the unlock
// also: --model rc11 => assertion line 71
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

static atomic_int drawing[2], number[2];
static atomic_int x;

static void lock(int me)
{
    int other = 1 - me;
    STORE(drawing[me], 1);
    FENCE();
    int mine = LOAD(number[other]) + 1;
    STORE(number[me], mine);
    FENCE();
    STORE(drawing[me], 0);
    while (LOAD(drawing[other])) {
    }
    for (;;) {
        int theirs = LOAD(number[other]);
        if (theirs == 0 || theirs > mine || (theirs == mine && me < other))
            return;
    }
}

static void unlock(int me)
{
    RELEASE(number[me], 0);
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
