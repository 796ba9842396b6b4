// expect: verified
// selvedge: --model rc11
// updates by anybody continue a release sequence; a store does not, also if it is by the same thread
// also: --model rc11 -- -DSTORE => data-race line 42|16
// also: --model rc11 -- -DOWN => data-race line 42|16
// also: --model rc11 --release-sequences c11 -- -DOWN => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *sender(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
#ifdef OWN
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
#endif
    return arg;
}

static void *between(void *arg)
{
#ifdef STORE
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
        atomic_store_explicit(&flag, 2, memory_order_relaxed);
#elif !defined OWN
    int one = 1;
    atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed, memory_order_relaxed);
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, between, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        assert(data == 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
