// expect: verified
// a recursive mutex made with an attribute; unlocking it too often is an error number
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_trylock(&mutex) == 0);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attribute;
    pthread_mutexattr_init(&attribute);
    pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attribute);
    pthread_mutexattr_destroy(&attribute);
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    pthread_mutex_destroy(&mutex);
    return 0;
}
