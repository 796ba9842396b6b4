// expect: data-race line 12|24
// a heap object handed over by a relaxed store
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) box;

static void *sender(void *arg)
{
    int *number = malloc(sizeof *number);
    *number = 8;
    atomic_store_explicit(&box, number, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    pthread_create(&t, NULL, sender, NULL);
    int *number = atomic_load_explicit(&box, memory_order_relaxed);
    if (number)
        seen = *number;
    pthread_join(t, NULL);
    return seen == 1;
}
