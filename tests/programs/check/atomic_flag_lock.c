// expect: verified
// atomic_flag as a lock: explicit orders, plain data inside
// also: --model tso => verified
// also: --model pso => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int x;

static void *worker(void *arg)
{
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
    }
    x++;
    atomic_flag_clear_explicit(&lock, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
