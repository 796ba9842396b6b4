// selvedge: --explorer mcr
// expect: assertion line 18
// what others do after an atomic section that was not got through does not have to come before it
// also: --explorer se-mcr --patience 0 => assertion line 18
// also: --explorer se-mcr => assertion line 18
// also: --explorer vieq => assertion line 18
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int p;

void __VERIFIER_atomic_check(void)
{
    selvedge_assume(p == 1);
    assert(p == 2);
}

static void *stores(void *arg)
{
    p = 1;
    p = 2;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, stores, NULL);
    __VERIFIER_atomic_check();
    return 0;
}
