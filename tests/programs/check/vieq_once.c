// selvedge: --explorer vieq
// expect: verified
// executions: 2
// one of the two initialises
// also: --explorer optimal => verified
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void initialise(void)
{
    value++;
}

static void *worker(void *arg)
{
    pthread_once(&once, initialise);
    assert(value == 1);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
