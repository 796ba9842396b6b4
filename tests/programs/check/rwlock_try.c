// expect: verified
// tryrdlock and trywrlock against a reader and a writer
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock;

static void *worker(void *arg)
{
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&lock) == (arg ? EBUSY : 0));
    if (!arg)
        pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_create(&t, NULL, worker, &lock);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&lock);
    return 0;
}
