// expect: deadlock line 11|21
// main joins a thread while it holds the lock the thread needs
// also: --model tso => deadlock line 11|21
// also: --model pso => deadlock line 11|21
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
