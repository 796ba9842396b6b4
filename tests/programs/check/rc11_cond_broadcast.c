// expect: verified
// selvedge: --model rc11
// a broadcast wakes everybody
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => deadlock line 18
//   a signal wakes one
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, woken;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&changed, &mutex);
    woken++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
#ifdef BROKEN
    pthread_cond_signal(&changed);
#else
    pthread_cond_broadcast(&changed);
#endif
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(woken == 2);
    return 0;
}
