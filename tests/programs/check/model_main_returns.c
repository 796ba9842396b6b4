// expect: verified
// selvedge: --model sc
// main stores two variables and returns; the stores reach memory, in order, and a thread that goes on sees
// them
// also: --model tso => verified
//   what is in the buffers when main returns still gets to memory, in order
// also: --model pso => assertion line 20
//   what is in the buffers when main returns still gets to memory, the flag perhaps first
// also: --model rc11 => assertion line 20
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int data, flag;

static void *reader(void *arg)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return 0;
}
