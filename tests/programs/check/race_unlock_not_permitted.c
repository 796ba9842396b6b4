// expect: data-race line 31
// also: --model rc11 => data-race line 31
// also: --model tso => data-race line 31
// also: --model pso => data-race line 31
// also: --model sc --explorer graph => data-race line 31
// also: -- -DTYPE=PTHREAD_MUTEX_RECURSIVE => data-race line 31
// also: --model rc11 -- -DTYPE=PTHREAD_MUTEX_RECURSIVE => data-race line 31
// also: -- -DHELD => verified
// also: --model rc11 -- -DHELD => verified
// an unlock that is not permitted synchronises with nobody
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef TYPE
#define TYPE PTHREAD_MUTEX_ERRORCHECK
#endif

static pthread_mutex_t mutex;
static atomic_int flag;
static int x;

static void *worker(void *arg)
{
    int expected = EPERM;
#ifdef HELD
    assert(pthread_mutex_lock(&mutex) == 0);
    expected = 0;
#endif
    x = 1;
    assert(pthread_mutex_unlock(&mutex) == expected);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, TYPE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        pthread_mutex_lock(&mutex);
        assert(x == 1);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    return 0;
}
