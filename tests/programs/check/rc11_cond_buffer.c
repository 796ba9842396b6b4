// expect: verified
// selvedge: --model rc11
// a buffer for one item, two producers and two consumers that wait for each other
// also: --model rc11 -- -DBROKEN => assertion line 34
//   what was true when a consumer was woken need not be true when it has the mutex
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full, item;

static void *producer(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (full)
        pthread_cond_wait(&changed, &mutex);
    full = 1;
    item = 7;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *consumer(void *arg)
{
    pthread_mutex_lock(&mutex);
#ifdef BROKEN
    if (!full)
#else
    while (!full)
#endif
        pthread_cond_wait(&changed, &mutex);
    assert(full && item == 7);
    full = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, producer, NULL);
    pthread_create(&threads[1], NULL, consumer, NULL);
    pthread_create(&threads[2], NULL, consumer, NULL);
    producer(NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(!full);
    return 0;
}
