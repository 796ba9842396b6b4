// selvedge: --explorer vieq
// expect: verified
// executions: 2
// who waits sees at once that it is ready, or is woken and sees it then
// also: --explorer optimal => verified
// also: --explorer vieq -- -DNO_SIGNAL => deadlock line 34
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *arg)
{
    pthread_mutex_lock(&lock);
    ready = 1;
#ifndef NO_SIGNAL
    pthread_cond_signal(&changed);
#endif
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, setter, NULL);
    pthread_mutex_lock(&lock);
#ifdef NO_SIGNAL
    if (!ready)
#else
    while (!ready)
#endif
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
