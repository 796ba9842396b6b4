// expect: verified
// a thread stores to a local object that others could reach, and returns: the store was made in time, even if
// it gets to memory later, and it is not seen in the object that has this place next
// also: --model tso => verified
//   a store to an object that was alive is no error when it gets to memory later, and is not seen in the
//   next object
// also: --model pso => verified
//   a store to an object that was alive is no error when it gets to memory later, and is not seen in the
//   next object
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int *_Atomic shared;

static int use(int value)
{
    atomic_int local = 0;
    atomic_store_explicit(&shared, &local, memory_order_relaxed);
    int before = atomic_load_explicit(&local, memory_order_relaxed);
    atomic_store_explicit(&local, value, memory_order_relaxed);
    atomic_store_explicit(&shared, NULL, memory_order_relaxed);
    return before;
}

static void *worker(void *arg)
{
    assert(use(1) == 0);
    assert(use(2) == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int empty = atomic_load_explicit(&shared, memory_order_relaxed) == NULL;
    pthread_join(t, NULL);
    assert(empty == 0 || empty == 1);
    assert(atomic_load_explicit(&shared, memory_order_relaxed) == NULL);
    return 0;
}
