// expect: verified
// selvedge: --model rc11
// a signal, and a predicate that is looked at with the mutex held
// also: --model sc --explorer graph => verified
// also: --model rc11 --spurious-wakeups => verified
// also: --model rc11 -- -DWITHOUT_PREDICATE => deadlock line 23
//   the signal comes before anybody waits
// also: --model rc11 -- -DUNLOCKED => data-race line 21|34
//   the predicate is set without the mutex
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&mutex);
#ifndef WITHOUT_PREDICATE
    while (!ready)
#endif
        pthread_cond_wait(&changed, &mutex);
    assert(data == 1);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
#ifdef UNLOCKED
    data = ready = 1;
    pthread_cond_signal(&changed);
#else
    pthread_mutex_lock(&mutex);
    data = ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
#endif
    pthread_join(t, NULL);
    return 0;
}
