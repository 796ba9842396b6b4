// expect: data-race line 19
// also: --model rc11 => data-race line 19
// also: --model tso => data-race line 19
// also: --model sc --explorer graph => data-race line 19
// a wait for a condition variable that fails, because the mutex is not held, does not give the mutex back
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int flag;
static int x;

static void *worker(void *arg)
{
    x = 1;
    assert(pthread_cond_wait(&condition, &mutex) == EPERM);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        pthread_mutex_lock(&mutex);
        assert(x == 1);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    return 0;
}
