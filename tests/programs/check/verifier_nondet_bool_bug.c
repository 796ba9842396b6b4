// expect: assertion line 24
// the failure needs one of the two values and one order
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

static atomic_int x;

static void *worker(void *arg)
{
    if (__VERIFIER_nondet_bool())
        atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int seen = atomic_load(&x);
    assert(seen == 0);
    pthread_join(t, NULL);
    return 0;
}
