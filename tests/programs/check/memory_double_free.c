// expect: double-free line 18
// the lock is given up between the question and the free
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *object, gone;

static void *drop(void *arg)
{
    pthread_mutex_lock(&mutex);
    int skip = gone;
    pthread_mutex_unlock(&mutex);
    if (skip)
        return arg;
    pthread_mutex_lock(&mutex);
    gone = 1;
    free(object);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    object = malloc(sizeof *object);
    pthread_create(&t, NULL, drop, NULL);
    drop(NULL);
    pthread_join(t, NULL);
    return 0;
}
