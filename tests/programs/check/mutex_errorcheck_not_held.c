// expect: assertion line 15
// also: --model rc11 => assertion line 15
// also: --model sc --explorer graph => assertion line 15
// unlocking what one does not hold says nothing about who comes first
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int x;

static void check(void)
{
    pthread_mutex_lock(&mutex);
    assert(x == 1);
    pthread_mutex_unlock(&mutex);
}

static void *worker(void *arg)
{
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    check();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attribute;
    pthread_mutexattr_init(&attribute);
    pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &attribute);
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    x = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
