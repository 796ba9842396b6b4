// expect: verified
// selvedge_choose is exhaustive: verified stays verified
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    int number = selvedge_choose(3);
    assert(number >= 0 && number < 3);
    selvedge_assume(number != 1);
    atomic_fetch_add(&x, number);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_fetch_add(&x, 2);
    pthread_join(t, NULL);
    assert(x == 2 || x == 4);
    return 0;
}
