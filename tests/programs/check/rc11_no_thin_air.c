// expect: verified
// selvedge: --model rc11
// executions: 3
// nothing is read that was written only because it was read: RC11 forbids load buffering
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *copy(void *arg)
{
    atomic_store_explicit(&x, atomic_load_explicit(&y, memory_order_relaxed), memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, copy, NULL);
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, 42, memory_order_relaxed);
    assert(seen != 42);
    pthread_join(t, NULL);
    return 0;
}
