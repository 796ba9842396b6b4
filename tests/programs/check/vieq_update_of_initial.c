// expect: verified
// executions: 3
// selvedge: --model sc --explorer vieq
// the only thread that stores what is there at first has to update it before; it can, since it was there
// also: --model sc --explorer optimal => verified
// also: --model sc --explorer vieq -- -DBROKEN => assertion line 30
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int before;

static void *worker(void *arg)
{
    before = atomic_exchange(&x, 1);
    x = 0;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    x = 1;
    pthread_join(thread, NULL);
    int after = x;
#ifdef BROKEN
    assert(before || after);
#endif
    (void)after;
    return 0;
}
