// expect: verified
// selvedge: --explorer exhaustive
// executions: 5
// two threads with n = m = 1 operations, main: create, create, join, join: C(n+m+2, m+1) - 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    atomic_fetch_add(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(atomic_load(&x) == 2);
    return 0;
}
