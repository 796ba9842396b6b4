// expect: verified
// selvedge: --model rc11
// what is assumed cuts executions off, and only those
// also: --model rc11 -- -DBROKEN => assertion line 30
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int flag, data;

static void *sender(void *arg)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
#ifdef BROKEN
    __VERIFIER_assume(atomic_load_explicit(&flag, memory_order_relaxed) == 1);
#else
    __VERIFIER_assume(atomic_load_explicit(&flag, memory_order_acquire) == 1);
#endif
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    pthread_join(t, NULL);
    return 0;
}
