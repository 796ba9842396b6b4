// expect: verified
// trylock fails only while another thread holds the mutex
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *worker(void *arg)
{
    int result = pthread_mutex_trylock(&mutex);
    assert(result == 0 || result == EBUSY);
    if (result == 0) {
        assert(inside == 0);
        inside = 1;
        inside = 0;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(pthread_mutex_trylock(&mutex) == 0);
    pthread_mutex_unlock(&mutex);
    return 0;
}
