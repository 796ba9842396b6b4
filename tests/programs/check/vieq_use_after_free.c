// selvedge: --explorer vieq
// expect: use-after-free line 16
// nothing that is loaded tells who came first; but if it was main, the object is gone
// also: --explorer optimal => use-after-free line 16
// also: --explorer vieq -- -DKEEP => verified
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *object;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    if (object)
        *object = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    object = malloc(sizeof *object);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    free(object);
#ifdef KEEP
    object = NULL;
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
