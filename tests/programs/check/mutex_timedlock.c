// expect: verified
// timedlock takes the mutex or times out
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    struct timespec past = {0, 0};
    int result = pthread_mutex_timedlock(&mutex, &past);
    assert(result == 0 || result == ETIMEDOUT);
    if (result == 0) {
        x++;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    assert(x == 1 || x == 2);
    return 0;
}
