// expect: assertion line 22
// selvedge: --model sc
// what an atomic section touches depends on what is chosen in it: one alternative reads, the other touches nothing
// also: --explorer optimal --workers 1 => assertion line 22
// also: --explorer source => assertion line 22
// also: --explorer classic => assertion line 22
// also: --explorer exhaustive => assertion line 22
// also: --preemptions 1 => assertion line 22
// also: --explorer vieq => assertion line 22
// also: --model tso => assertion line 22
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Bool __VERIFIER_nondet_bool(void);

static atomic_int p;

void __VERIFIER_atomic_check(void)
{
    if (__VERIFIER_nondet_bool())
        assert(p != 1);
}

static void *writer(void *arg)
{
    p = 1;
    p = 2;
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, writer, NULL);
    __VERIFIER_atomic_check();
    return 0;
}
