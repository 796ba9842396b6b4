// expect: bad-destroy line 26
// a condition variable is destroyed while a thread waits for it
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&mutex);
    waiting = 1;
    pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    int destroy = waiting;
    pthread_mutex_unlock(&mutex);
    if (destroy)
        pthread_cond_destroy(&changed);
    return 0;
}
