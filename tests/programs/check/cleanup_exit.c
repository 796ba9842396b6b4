// expect: verified
// a cleanup handler gives the mutex back when the thread leaves by pthread_exit
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void unlock(void *lock)
{
    pthread_mutex_unlock(lock);
}

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    x++;
    pthread_exit(arg);
    pthread_cleanup_pop(1);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
