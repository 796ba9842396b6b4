// expect: verified
// selvedge: --model rc11
// Dekker's algorithm: one steps back, and waits for its turn
// also: --model rc11 -- -DREAD=memory_order_acquire -DWRITE=memory_order_release => data-race line 42
// also: --model rc11 -- -DREAD=memory_order_acquire -DWRITE=memory_order_release -DFENCES => verified
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef READ
#define READ memory_order_seq_cst
#endif
#ifndef WRITE
#define WRITE memory_order_seq_cst
#endif
#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif
#define LOAD(variable) atomic_load_explicit(&(variable), READ)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, WRITE)

static atomic_int wants[2], turn;
static int x;

static void *worker(void *arg)
{
    int me = arg != NULL, other = 1 - me;
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
    x++;
    STORE(turn, other);
    STORE(wants[me], 0);
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
