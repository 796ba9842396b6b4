// expect: verified
// selvedge: --allow data-race
// with races allowed the sum of two unprotected increments is one or two
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *arg)
{
    counter++;
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter == 1 || counter == 2);
    return 0;
}
