// expect: deadlock line 11|22
// a readers-writer lock and a mutex in opposite orders
#include <pthread.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t entry = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&table);
    pthread_mutex_lock(&entry);
    pthread_mutex_unlock(&entry);
    pthread_rwlock_unlock(&table);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    pthread_mutex_lock(&entry);
    pthread_rwlock_wrlock(&table);
    pthread_rwlock_unlock(&table);
    pthread_mutex_unlock(&entry);
    pthread_join(t, NULL);
    return 0;
}
