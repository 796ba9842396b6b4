// expect: assertion line 24
// __VERIFIER_assume keeps the executions that satisfy it
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
    __VERIFIER_assume(seen == 1);
    assert(atomic_load(&x) == 1);
    pthread_join(t, NULL);
    return 0;
}
