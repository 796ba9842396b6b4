// expect: deadlock line 9|19
// main joins a thread while it holds the lock the thread needs
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&mutex);
    return 0;
}
