// expect: verified
// selvedge: --spurious-wakeups
// executions: 62
// two threads that wait, each of which may be woken once without a signal, and one signal
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *signaller(void *arg)
{
    pthread_cond_signal(&condition);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, signaller, NULL);
    pthread_create(&threads[1], NULL, waiter, NULL);
    pthread_create(&threads[2], NULL, waiter, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
