// expect: verified
// a thread stores to a shared heap object and frees it itself: its store is not later than its free
// also: --model tso => verified
//   a thread frees an object when its own stores to it are in memory
// also: --model pso => verified
//   a thread frees an object when its own stores to it are in memory
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *_Atomic shared;

static void *worker(void *arg)
{
    atomic_int *object = atomic_exchange(&shared, NULL);
    if (object != NULL) {
        atomic_store_explicit(object, 1, memory_order_relaxed);
        free(object);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    atomic_store(&shared, calloc(1, sizeof(atomic_int)));
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    return 0;
}
