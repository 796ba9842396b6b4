// selvedge: --explorer vieq
// expect: verified
// executions: 6
// three values to choose, and whoever loads sees what was chosen, or the initial value
// also: --explorer optimal => verified
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>

static atomic_int x;

static void *chooser(void *arg)
{
    atomic_store(&x, selvedge_choose(3) + 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, chooser, NULL);
    assert(atomic_load(&x) <= 3);
    pthread_join(thread, NULL);
    return 0;
}
