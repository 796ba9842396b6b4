// selvedge: --explorer vieq
// expect: verified
// executions: 7
// who waits for a lock in a loop does not notice that it is somebody else's by now
// also: --explorer se-mcr => verified
// also: --explorer se-mcr --patience 0 => verified
// also: --explorer mcr => verified
// also: --explorer vieq -- -DREADERS => verified
// also: --explorer mcr -- -DREADERS => verified
// also: --explorer optimal => verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int x;

static void *takes(void *arg)
{
#ifdef READERS
    pthread_rwlock_rdlock(&readers);
    x = 1;
    pthread_rwlock_unlock(&readers);
#else
    pthread_spin_lock(&lock);
    x = 1;
    pthread_spin_unlock(&lock);
#endif
    return arg;
}

static void *tries(void *arg)
{
#ifdef READERS
    while (pthread_rwlock_trywrlock(&readers) != 0) {
    }
#else
    while (pthread_spin_trylock(&lock) != 0) {
    }
#endif
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&threads[0], NULL, takes, NULL);
    pthread_create(&threads[1], NULL, takes, NULL);
    pthread_create(&threads[2], NULL, tries, NULL);
    return 0;
}
