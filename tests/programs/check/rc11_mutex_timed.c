// expect: verified
// selvedge: --model rc11
// who gives up waiting for a mutex does not have it
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => data-race line 27|41
//   the result is not looked at
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *impatient(void *arg)
{
    struct timespec later;
    clock_gettime(CLOCK_REALTIME, &later);
    later.tv_sec += 5;
    int result = pthread_mutex_timedlock(&mutex, &later);
#ifdef BROKEN
    int mine = 1;
#else
    int mine = result == 0;
#endif
    if (mine) {
        int seen = x;
        assert(result == 0 ? seen == 0 || seen == 1 : 1);
        x = 2;
    }
    if (result == 0)
        pthread_mutex_unlock(&mutex);
    else
        assert(result == ETIMEDOUT);
    return arg;
}

static void patient(void)
{
    pthread_mutex_lock(&mutex);
    x = 1;
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, impatient, NULL);
    patient();
    pthread_join(t, NULL);
    assert(x == 1 || x == 2);
    return 0;
}
