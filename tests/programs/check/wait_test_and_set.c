// expect: verified
// test-and-test-and-set lock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int x;

static void *worker(void *arg)
{
    do {
        while (atomic_load_explicit(&lock, memory_order_relaxed)) {
        }
    } while (atomic_exchange_explicit(&lock, 1, memory_order_acquire));
    x++;
    atomic_store_explicit(&lock, 0, memory_order_release);
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
