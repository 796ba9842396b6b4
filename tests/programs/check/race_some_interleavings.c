// expect: data-race line 12|21
// the race needs one order: the flag must be set before the second thread looks
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stage;
static int x;

static void *worker(void *arg)
{
    atomic_store_explicit(&stage, 1, memory_order_relaxed);
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    if (atomic_load_explicit(&stage, memory_order_relaxed) == 1)
        x = 2;
    pthread_join(t, NULL);
    return 0;
}
