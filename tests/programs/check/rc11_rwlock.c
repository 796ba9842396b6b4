// expect: verified
// selvedge: --model rc11
// readers see all of what a writer did, or nothing
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => data-race line 18|25
//   a writer that only locks for reading
// also: --model rc11 -- -DUPGRADE => deadlock line 35
//   a reader cannot become a writer
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    assert(a == b);
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void write_both(void)
{
    a++;
    b++;
}

static void *writer(void *arg)
{
#if defined BROKEN
    pthread_rwlock_rdlock(&lock);
#elif defined UPGRADE
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock);
#else
    pthread_rwlock_wrlock(&lock);
#endif
    write_both();
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(a == 1 && b == 1);
    return 0;
}
