// expect: verified
// __VERIFIER_assume discards executions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int condition);

static atomic_int x;

static void *worker(void *arg)
{
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int seen = atomic_load(&x);
    __VERIFIER_assume(seen != 1);
    assert(seen == 0 || seen == 2);
    pthread_join(t, NULL);
    return 0;
}
