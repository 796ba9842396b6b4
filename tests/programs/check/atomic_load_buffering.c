// expect: assertion line 24
// each thread may miss the other's store, or both see it: here both orders are excluded wrongly
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2;

static void *worker(void *arg)
{
    atomic_store(&x, 1);
    r1 = atomic_load(&y);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&y, 1);
    r2 = atomic_load(&x);
    pthread_join(t, NULL);
    assert(!(r1 == 1 && r2 == 1));
    return 0;
}
