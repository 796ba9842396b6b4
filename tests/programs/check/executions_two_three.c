// expect: verified
// selvedge: --explorer exhaustive
// executions: 34
// two threads with n = 2 and m = 3 operations, main: create, create, join, join: C(n+m+2, m+1) - 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *first(void *arg)
{
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    return arg;
}

static void *second(void *arg)
{
    int after = atomic_load(&y), before = atomic_load(&x);
    assert(!after || before);
    atomic_store(&y, 2);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
