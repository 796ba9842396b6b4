// expect: bad-destroy line 18
// a readers-writer lock is destroyed while a reader holds it
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *worker(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_destroy(&lock);
    return 0;
}
