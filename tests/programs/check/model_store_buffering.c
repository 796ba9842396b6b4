// expect: verified
// selvedge: --model sc
// store buffering: two threads store, then look at each other's variable; not both look in vain
// also: --model tso => assertion line 74
//   both stores are in buffers when the loads are made
// also: --model tso -- -DSTORES=memory_order_release -DLOADS=memory_order_acquire => assertion line 74
//   release and acquire do not keep a load after a store
// also: --model tso -- -DFENCE=atomic_thread_fence(memory_order_seq_cst) => verified
//   a fence waits until the store is in memory
// also: --model tso -- -DSTORES=memory_order_seq_cst => verified
//   a seq_cst store acts on memory at once
// also: --model tso -- -DLOADS=memory_order_seq_cst => assertion line 74
//   seq_cst loads do not wait for relaxed stores
// also: --model pso => assertion line 74
//   both stores are in buffers when the loads are made
// also: --model pso -- -DSTORES=memory_order_release -DLOADS=memory_order_acquire => assertion line 74
//   release and acquire do not keep a load after a store
// also: --model pso -- -DFENCE=atomic_thread_fence(memory_order_seq_cst) => verified
//   a fence waits until the store is in memory
// also: --model pso -- -DSTORES=memory_order_seq_cst => verified
//   a seq_cst store acts on memory at once
// also: --model pso -- -DLOADS=memory_order_seq_cst => assertion line 74
//   seq_cst loads do not wait for relaxed stores
// also: --model tso -- -DFENCE=__sync_synchronize() => verified
//   __sync_synchronize is a seq_cst fence
// also: --model tso -- -DFENCE=atomic_thread_fence(memory_order_acq_rel) => assertion line 74
//   an acq_rel fence does not keep a load after a store
// also: --model tso -- -DFENCE=atomic_thread_fence(memory_order_seq_cst) -DOTHER_FENCE=(void)0 => assertion line 74
//   a fence in one of the two threads is not enough
// also: --model pso -- -DEXCHANGE => verified
//   a read-modify-write acts on memory at once, also a relaxed one
// also: --model rc11 => assertion line 74
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef STORES
#define STORES memory_order_relaxed
#endif
#ifndef LOADS
#define LOADS memory_order_relaxed
#endif
#ifndef FENCE
#define FENCE ((void)0)
#endif
#ifndef OTHER_FENCE
#define OTHER_FENCE FENCE
#endif
#ifdef EXCHANGE
#define SET(variable) atomic_exchange_explicit(&(variable), 1, STORES)
#else
#define SET(variable) atomic_store_explicit(&(variable), 1, STORES)
#endif

static atomic_int x, y;
static int r1, r2;

static void *worker(void *arg)
{
    SET(x);
    OTHER_FENCE;
    r1 = atomic_load_explicit(&y, LOADS);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    SET(y);
    FENCE;
    r2 = atomic_load_explicit(&x, LOADS);
    pthread_join(t, NULL);
    assert(r1 == 1 || r2 == 1);
    return 0;
}
