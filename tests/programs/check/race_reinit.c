// expect: data-race line 20
// also: --model rc11 => data-race line 20
// also: --model sc --explorer graph => data-race line 20
// also: -- -DRWLOCK => data-race line 20
// also: --model rc11 -- -DRWLOCK => data-race line 20
// also: -- -DSAME => verified
// also: --model rc11 -- -DSAME => verified
// a mutex that is set up anew has nothing to do with what was done under the earlier one
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int turn;
static int x;

static void *worker(void *arg)
{
    pthread_rwlock_wrlock(&lock), pthread_mutex_lock(&mutex);
    x = 1;
    pthread_mutex_unlock(&mutex), pthread_rwlock_unlock(&lock);
    atomic_store_explicit(&turn, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    if (atomic_load_explicit(&turn, memory_order_relaxed) == 1) {
        int seen;
#ifdef RWLOCK
        pthread_rwlock_destroy(&lock), pthread_rwlock_init(&lock, NULL);
        pthread_rwlock_rdlock(&lock);
        seen = x;
        pthread_rwlock_unlock(&lock);
#else
#ifndef SAME
        pthread_mutex_destroy(&mutex), pthread_mutex_init(&mutex, NULL);
#endif
        pthread_mutex_lock(&mutex);
        seen = x;
        pthread_mutex_unlock(&mutex);
#endif
        (void)seen;
    }
    pthread_join(thread, NULL);
    return 0;
}
