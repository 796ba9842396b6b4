// expect: verified
// selvedge: --model rc11
// an object from the heap is handed over by a pointer
// also: --model rc11 -- -DSTORE=memory_order_relaxed => data-race line 26|36
// also: --model rc11 -- -DLOAD=memory_order_relaxed => data-race line 26|36
//   dependencies order nothing
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef STORE
#define STORE memory_order_release
#endif
#ifndef LOAD
#define LOAD memory_order_acquire
#endif

static int *_Atomic shared;

static void *receiver(void *arg)
{
    int *mine = atomic_load_explicit(&shared, LOAD);
    if (mine)
        assert(*mine == 5);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, receiver, NULL);
    int *object = malloc(sizeof *object);
    *object = 5;
    atomic_store_explicit(&shared, object, STORE);
    pthread_join(t, NULL);
    return 0;
}
