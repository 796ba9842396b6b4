// expect: assertion line 15
// timedlock can time out, however long the time
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    struct timespec later;
    clock_gettime(CLOCK_REALTIME, &later);
    later.tv_sec += 1;
    int result = pthread_mutex_timedlock(&mutex, &later);
    assert(result == 0);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
