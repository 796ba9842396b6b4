// expect: verified
// selvedge: --model rc11
// who tries a readers-writer lock may use the data only if it got it
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => data-race line 18|30
//   the results are not looked at
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *reader(void *arg)
{
    int got = pthread_rwlock_tryrdlock(&lock) == 0;
#ifdef BROKEN
    (void)(a == b);
#else
    if (got)
#endif
        assert(a == b);
    if (got)
        pthread_rwlock_unlock(&lock);
    return arg;
}

static void update(void)
{
    a++;
    b++;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, reader, NULL);
    pthread_create(&u, NULL, reader, NULL);
    int result = pthread_rwlock_trywrlock(&lock);
    if (result == 0) {
        update();
        pthread_rwlock_unlock(&lock);
    } else {
        assert(result == EBUSY);
    }
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
