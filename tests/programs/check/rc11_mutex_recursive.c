// expect: verified
// selvedge: --model rc11
// a recursive mutex is free only after its last unlock
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => data-race line 24|30
//   one unlock too early
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int x;

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
#ifdef BROKEN
    pthread_mutex_unlock(&mutex);
#endif
    if (x == 0)
        return NULL;
    x++;
#ifndef BROKEN
    pthread_mutex_unlock(&mutex);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(x == 4);
    return 0;
}
