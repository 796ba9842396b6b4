// expect: data-race line 12|23
// an object is freed after its last use, but nothing orders the two
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *number;
static atomic_int used;

static void *worker(void *arg)
{
    *number = 1;
    atomic_store_explicit(&used, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    number = malloc(sizeof *number);
    pthread_create(&t, NULL, worker, NULL);
    if (atomic_load_explicit(&used, memory_order_relaxed))
        free(number);
    pthread_join(t, NULL);
    return 0;
}
