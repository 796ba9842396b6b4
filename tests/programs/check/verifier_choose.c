// expect: assertion line 23
// selvedge_choose explores every number below its argument; selvedge_assume discards
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    int number = selvedge_choose(3);
    selvedge_assume(number != 1);
    atomic_store(&x, number);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    assert(atomic_load(&x) != 2);
    return 0;
}
