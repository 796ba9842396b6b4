// selvedge: --explorer vieq
// expect: assertion line 25
// two increments that are not atomic; one may be lost
// also: --explorer optimal => assertion line 25
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *worker(void *arg)
{
    int seen = atomic_load(&count);
    atomic_store(&count, seen + 1);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(atomic_load(&count) == 2);
    return 0;
}
