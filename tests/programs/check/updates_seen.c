// expect: assertion line 35
// also: --model tso => assertion line 35
// also: --model pso => assertion line 35
// also: --explorer source => assertion line 35
// also: --explorer exhaustive => assertion line 35
// Each of two additions may be the one that a reader sees alone, whichever of them is explored first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *one(void *arg)
{
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    return arg;
}

static void *other(void *arg)
{
    atomic_fetch_add_explicit(&counter, 4, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, other, NULL);
    int expected = 4;
    // Only if the second one alone has come.
    atomic_compare_exchange_strong(&counter, &expected, 10);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter != 11);
    return 0;
}
