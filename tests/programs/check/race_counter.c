// expect: data-race line 11
// two threads count without a lock
// also: --model tso => data-race line 11
// also: --model pso => data-race line 11
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
    return 0;
}
