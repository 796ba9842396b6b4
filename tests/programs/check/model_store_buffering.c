// expect: verified
// store buffering: two threads store, then look at each other's variable; not both look in vain
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef STORES
#define STORES memory_order_relaxed
#endif
#ifndef LOADS
#define LOADS memory_order_relaxed
#endif
#ifndef FENCE
#define FENCE ((void)0)
#endif
#ifndef OTHER_FENCE
#define OTHER_FENCE FENCE
#endif
#ifdef EXCHANGE
#define SET(variable) atomic_exchange_explicit(&(variable), 1, STORES)
#else
#define SET(variable) atomic_store_explicit(&(variable), 1, STORES)
#endif

static atomic_int x, y;
static int r1, r2;

static void *worker(void *arg)
{
    SET(x);
    OTHER_FENCE;
    r1 = atomic_load_explicit(&y, LOADS);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    SET(y);
    FENCE;
    r2 = atomic_load_explicit(&x, LOADS);
    pthread_join(t, NULL);
    assert(r1 == 1 || r2 == 1);
    return 0;
}
