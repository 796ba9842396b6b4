// expect: assertion line 38
// selvedge: --model rc11
// readers and a writer of a readers-writer lock in every order
// also: --model sc --explorer graph => assertion line 38
// also: --model sc => assertion line 38
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, seen[2];

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    seen[arg != NULL] = x;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, &a);
    pthread_create(&c, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(!seen[0] || seen[1]);
    return 0;
}
