// expect: verified
// __VERIFIER_nondet_bool has only two values: all are explored
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

static atomic_int x;

static void *worker(void *arg)
{
    atomic_fetch_add(&x, __VERIFIER_nondet_bool() ? 1 : 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_fetch_add(&x, 10);
    pthread_join(t, NULL);
    assert(x == 11 || x == 12);
    return 0;
}
