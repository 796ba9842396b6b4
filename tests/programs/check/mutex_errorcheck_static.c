// expect: assertion line 12
// an error-checking mutex (static initialiser): a thread that does not hold it cannot unlock it
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *worker(void *arg)
{
    int result = pthread_mutex_unlock(&mutex);
    assert(result == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&mutex);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&mutex);
    return 0;
}
