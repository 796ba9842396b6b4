// expect: assertion line 20
// trylock can fail
#include <assert.h>
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
    int failed = pthread_mutex_trylock(&mutex);
    assert(!failed);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
