// expect: assertion line 38
// selvedge: --model rc11
// a reader of a readers-writer lock may come after the writer, although it is created first
// also: --model sc --explorer graph => assertion line 38
// also: --model sc => assertion line 38
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, seen;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    seen = x;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *writer(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, c;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&c, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(c, NULL);
    assert(!seen);
    return 0;
}
