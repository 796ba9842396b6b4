// expect: verified
// selvedge: --model rc11
// executions: 9
// three values to choose, and another thread that chooses not to look, or looks too early, or sees it
// also: --model rc11 -- -DBROKEN => assertion line 33
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

static atomic_int x;

static void *chooser(void *arg)
{
    atomic_store_explicit(&x, selvedge_choose(3) + 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, chooser, NULL);
    bool look = __VERIFIER_nondet_bool();
    int seen = look ? atomic_load_explicit(&x, memory_order_relaxed) : 0;
    pthread_join(t, NULL);
    int last = atomic_load_explicit(&x, memory_order_relaxed);
    assert(last >= 1 && last <= 3);
#ifdef BROKEN
    assert(seen != 3);
#endif
    assert(seen == 0 || seen == last);
    return 0;
}
