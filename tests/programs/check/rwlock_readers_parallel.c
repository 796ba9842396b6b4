// expect: verified
// two readers hold the lock at the same time: each waits for the other inside
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_wait(&both);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&t, NULL, reader, NULL);
    reader(NULL);
    pthread_join(t, NULL);
    pthread_barrier_destroy(&both);
    return 0;
}
