// selvedge: --explorer vieq
// expect: verified
// executions: 2
// what is stored first in an atomic section nobody sees
// also: --explorer optimal => verified
// also: --explorer vieq -- -DAPART => assertion line 31
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x;

static void *writer(void *arg)
{
    __VERIFIER_atomic_begin();
    atomic_store(&x, 1);
#ifndef APART
    atomic_store(&x, 2);
#endif
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    assert(atomic_load(&x) != 1);
    pthread_join(thread, NULL);
    return 0;
}
