// expect: data-race line 13
// atomic_flag as a lock, but with relaxed orders: the data inside races
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int x;

static void *worker(void *arg)
{
    if (atomic_flag_test_and_set_explicit(&lock, memory_order_relaxed))
        return arg;
    x++;
    atomic_flag_clear_explicit(&lock, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    return 0;
}
