// expect: assertion line 15
// stolen wake-up: between the signal and the waiter's return another thread takes the item
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *arg)
{
    pthread_mutex_lock(&mutex);
    if (items == 0)
        pthread_cond_wait(&changed, &mutex);
    assert(items == 1);
    items = 0;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, consumer, NULL);
    pthread_mutex_lock(&mutex);
    items = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    items = 0;
    pthread_mutex_unlock(&mutex);
    return 0;
}
