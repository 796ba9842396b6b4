// expect: relock line 12
// a normal mutex is locked again by its holder, but only if the other thread came first
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    if (ready)
        pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
