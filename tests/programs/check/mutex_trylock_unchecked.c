// expect: bad-unlock line 10
// the result of trylock is not looked at
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_trylock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&mutex);
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
