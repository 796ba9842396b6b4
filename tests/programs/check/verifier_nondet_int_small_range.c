// expect: bounded
// selvedge: --nondet 0..2
// the value 3, which would fail, is outside the range
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

static atomic_int x;

static void *worker(void *arg)
{
    atomic_fetch_add(&x, __VERIFIER_nondet_int());
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    assert(atomic_load(&x) != 3);
    pthread_join(t, NULL);
    return 0;
}
