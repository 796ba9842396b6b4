// expect: verified
// also: --model rc11 => verified
// also: --model sc --explorer graph => verified
// also: -- -DAFTER => data-race line 23
// also: --model rc11 -- -DAFTER => data-race line 23
// a recursive mutex synchronises when it is given back for good, with all that its owner did until then
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int x;

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#ifndef AFTER
    x = 1;
#endif
    pthread_mutex_unlock(&mutex);
#ifdef AFTER
    x = 1;
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    int seen = x;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return seen > 1;
}
