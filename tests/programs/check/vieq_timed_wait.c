// selvedge: --explorer vieq
// expect: assertion line 32
// the time may be over before anybody signals
// also: --explorer optimal => assertion line 32
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *arg)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    struct timespec until = {0, 0};
    pthread_create(&thread, NULL, setter, NULL);
    pthread_mutex_lock(&lock);
    if (!ready)
        pthread_cond_timedwait(&changed, &lock, &until);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(ready);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
