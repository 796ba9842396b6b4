// expect: assertion line 23
// selvedge: --nondet 0..3
// the failure needs the value 3
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
    int seen = atomic_load(&x);
    assert(seen != 3);
    pthread_join(t, NULL);
    return 0;
}
