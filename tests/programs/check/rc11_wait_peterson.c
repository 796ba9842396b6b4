// expect: verified
// selvedge: --model rc11
// Peterson's algorithm waits for one of two variables
// also: --model rc11 -- -DMO=memory_order_relaxed => data-race line 47
// also: --model rc11 -- -DREAD=memory_order_acquire -DWRITE=memory_order_release => data-race line 47
//   both may look before they can be seen
// also: --model rc11 -- -DREAD=memory_order_acquire -DWRITE=memory_order_release -DFENCES=3 => verified
// also: --model rc11 -- -DREAD=memory_order_acquire -DWRITE=memory_order_release -DFENCES=2 => data-race line 47
//   one who comes second may be the one whose turn it is, and not see that the other wants
// also: --model rc11 -- -DREAD=memory_order_acquire -DWRITE=memory_order_release -DEXCHANGE => verified
//   who comes second knows all that who came first has done
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef MO
#define MO memory_order_seq_cst
#endif
#ifndef READ
#define READ MO
#endif
#ifndef WRITE
#define WRITE MO
#endif
#ifndef FENCES
#define FENCES 0
#endif
#define FENCE(n) (FENCES >> (n) & 1 ? atomic_thread_fence(memory_order_seq_cst) : (void)0)

static atomic_int wants[2], turn;
static int x;

static void *worker(void *arg)
{
    int me = arg != NULL, other = 1 - me;
    atomic_store_explicit(&wants[me], 1, WRITE);
    FENCE(0);
#ifdef EXCHANGE
    atomic_exchange_explicit(&turn, other, memory_order_acq_rel);
#else
    atomic_store_explicit(&turn, other, WRITE);
#endif
    FENCE(1);
    while (atomic_load_explicit(&wants[other], READ) && atomic_load_explicit(&turn, READ) == other) {
    }
    x++;
    atomic_store_explicit(&wants[me], 0, WRITE);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, &x);
    worker(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
