// expect: data-race line 21
// also: --model rc11 => data-race line 21
// also: --model sc --explorer graph => data-race line 21
// also: -- -DINNER => data-race line 21
// also: --model rc11 -- -DINNER => data-race line 21
// a trylock that fails acquires nothing, and a fence after it does not help: it is no atomic read
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static atomic_int flag;
static int x;

static void *worker(void *arg)
{
#ifdef INNER
    pthread_mutex_lock(&mutex);
#endif
    x = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#ifndef INNER
    pthread_mutex_lock(&mutex);
#endif
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    if (!atomic_load_explicit(&flag, memory_order_relaxed)) {
        // Too early.
    } else if (pthread_mutex_trylock(&mutex) != 0) {
        atomic_thread_fence(memory_order_acquire);
        int seen = x;
        (void)seen;
    } else {
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    return 0;
}
