// expect: verified
// a destroyed mutex may be initialised again
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    worker(NULL);
    assert(pthread_mutex_destroy(&mutex) == 0);
    assert(pthread_mutex_init(&mutex, NULL) == 0);
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(x == 3);
    return 0;
}
