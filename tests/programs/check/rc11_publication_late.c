// expect: data-race line 16|31
// selvedge: --model rc11
// what is written after an object was handed over is not handed over with it
// also: --model rc11 -- -DBEFORE => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared;

static void *receiver(void *arg)
{
    int *mine = atomic_load_explicit(&shared, memory_order_acquire);
    if (mine)
        assert(*mine >= 5);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, receiver, NULL);
    int *object = malloc(sizeof *object);
    *object = 5;
#ifdef BEFORE
    *object = 6;
#endif
    atomic_store_explicit(&shared, object, memory_order_release);
#ifndef BEFORE
    *object = 6;
#endif
    pthread_join(t, NULL);
    return 0;
}
