// expect: verified
// selvedge: --allow abort
// abort is allowed: it only ends the process
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *worker(void *arg)
{
    if (atomic_load(&x) == 0)
        abort();
    assert(atomic_load(&x) == 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, 1);
    pthread_join(t, NULL);
    return 0;
}
