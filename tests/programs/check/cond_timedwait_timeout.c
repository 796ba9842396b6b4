// expect: verified
// nobody signals: timedwait times out and holds the mutex again
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int x;

static void *waiter(void *arg)
{
    struct timespec past = {0, 0};
    pthread_mutex_lock(&mutex);
    assert(pthread_cond_timedwait(&changed, &mutex, &past) == ETIMEDOUT);
    x++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
