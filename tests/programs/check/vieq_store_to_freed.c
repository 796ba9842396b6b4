// selvedge: --explorer vieq
// expect: use-after-free line 28
// nothing that is loaded tells who came first; but if it was the worker, the object is gone
// also: --explorer optimal => use-after-free line 28
// also: --explorer vieq -- -DKEEP => verified
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *object;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
#ifndef KEEP
    free(object);
#endif
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    object = malloc(sizeof *object);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    *object = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
#ifdef KEEP
    free(object);
#endif
    return 0;
}
