// expect: assertion line 28
// selvedge: --model rc11
// updates are atomic, whatever their order; a load and a store are not
// also: --model rc11 -- -DUPDATE => verified
// also: --model ra => assertion line 28
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *increment(void *arg)
{
#ifdef UPDATE
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
#else
    atomic_store(&x, atomic_load(&x) + 1);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, increment, NULL);
    increment(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
