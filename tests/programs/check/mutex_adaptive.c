// expect: verified
// an adaptive mutex excludes like any other
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static int x;

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    x = x + 1;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    assert(pthread_mutex_destroy(&mutex) == 0);
    return 0;
}
