// expect: assertion line 38
// selvedge: --model rc11
// a trylock and an atomic variable in every order
// also: --model sc --explorer graph => assertion line 38
// also: --model sc => assertion line 38
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;
static int seen;

static void *one(void *arg)
{
    seen = atomic_load(&x);
    pthread_mutex_lock(&mutex);
    return arg;
}

static void *two(void *arg)
{
    int got = pthread_mutex_trylock(&mutex) == 0;
    if (got)
        pthread_mutex_unlock(&mutex);
    atomic_store(&x, got ? 2 : 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen != 2);
    return 0;
}
