// expect: deadlock line 13|27
// the signal goes to another condition variable
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (items == 0)
        pthread_cond_wait(&full, &mutex);
    items--;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, consumer, NULL);
    pthread_mutex_lock(&mutex);
    items++;
    pthread_cond_signal(&empty);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
