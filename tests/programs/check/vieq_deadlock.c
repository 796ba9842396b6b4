// selvedge: --explorer vieq
// expect: deadlock line 13
// nothing is loaded, and still there is more than one way to go
// also: --explorer optimal => deadlock line 13
// also: --explorer vieq -- -DSAME => verified
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *worker(void *arg)
{
#ifdef SAME
    both(&a, &b);
#else
    both(&b, &a);
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    both(&a, &b);
    pthread_join(thread, NULL);
    return 0;
}
