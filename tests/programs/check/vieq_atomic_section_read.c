// selvedge: --explorer vieq
// expect: verified
// executions: 3
// who loads first in an atomic section does not begin it before its time
// also: --explorer optimal => verified
// also: --explorer vieq -- -DWRONG => assertion line 32
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x, y;

static void *worker(void *arg)
{
    __VERIFIER_atomic_begin();
    atomic_load(&x);
    atomic_store(&y, 1);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    int seen = atomic_load(&y);
    atomic_store(&x, 1);
#ifdef WRONG
    assert(seen);
#endif
    (void)seen;
    pthread_join(thread, NULL);
    return 0;
}
