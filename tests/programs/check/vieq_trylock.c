// selvedge: --explorer vieq
// expect: verified
// executions: 3
// both get the lock, one after the other; or one of them finds it taken
// also: --explorer optimal => verified
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    if (pthread_mutex_trylock(&lock) == 0)
        pthread_mutex_unlock(&lock);
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
