// expect: verified
// selvedge: --model rc11
// a mutex that checks for errors says who holds it
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => relock line 22
//   a normal mutex does not
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int x;

static void *worker(void *arg)
{
#ifndef BROKEN
    int result = pthread_mutex_unlock(&mutex);
    assert(result == EPERM);
#endif
    pthread_mutex_lock(&mutex);
    x++;
    if (pthread_mutex_lock(&mutex) != EDEADLK)
        assert(0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
#ifndef BROKEN
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
#endif
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
