// expect: assertion line 15
// two waiters with `if`, one item, a broadcast: the second waiter finds nothing
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
    assert(items > 0);
    items--;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, consumer, NULL);
    pthread_create(&two, NULL, consumer, NULL);
    pthread_mutex_lock(&mutex);
    items = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return 0;
}
