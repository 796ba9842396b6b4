// expect: deadlock line 16|27
// the predicate is changed without the mutex: the signal falls between check and wait
// also: --model tso => deadlock line 16|27
// also: --model pso => deadlock line 16|27
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (!atomic_load(&ready))
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    atomic_store(&ready, 1);
    pthread_cond_signal(&changed);
    pthread_join(t, NULL);
    return 0;
}
