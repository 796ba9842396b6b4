// expect: verified
// selvedge: --model sc
// a sequence lock with one writer, all stores relaxed: the reader looks once, and uses what it saw if no
// writer was there
// also: --model tso => verified
//   stores stay in order, so the odd number is seen before what is written meanwhile
// also: --model pso => assertion line 48
//   one of the data may be in memory before the odd number, and the other not yet
// also: --model pso -- -DFENCES => verified
//   release fences keep the numbers and the data apart
// also: --model tso -- -DFENCES => verified
//   release fences cost nothing and are not needed
// also: --model rc11 => assertion line 48
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_release)
#else
#define FENCE() ((void)0)
#endif
#define LOAD(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)

static atomic_uint sequence;
static atomic_int a, b;

static void *writer(void *arg)
{
    STORE(sequence, 1);
    FENCE();
    STORE(a, 1);
    STORE(b, 1);
    FENCE();
    STORE(sequence, 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    unsigned before = LOAD(sequence);
    int first = LOAD(a);
    int second = LOAD(b);
    if (before % 2 == 0 && LOAD(sequence) == before)
        assert(first == second);
    pthread_join(t, NULL);
    return 0;
}
