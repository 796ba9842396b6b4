// expect: verified
// selvedge: --model rc11
// whoever waits only for a while has the mutex afterwards
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => assertion line 26
//   the time may be up before the predicate holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg)
{
    struct timespec later;
    int result = 0;
    clock_gettime(CLOCK_REALTIME, &later);
    later.tv_sec += 5;
    pthread_mutex_lock(&mutex);
    while (!ready && result == 0)
        result = pthread_cond_timedwait(&changed, &mutex, &later);
#ifdef BROKEN
    assert(ready);
#endif
    assert(ready || result == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
