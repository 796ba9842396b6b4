// expect: verified
// selvedge: --model rc11
// a mutex orders plain accesses, whoever takes it first
// also: --model sc --explorer graph => verified
// also: --model ra => verified
// also: --model rc11 -- -DBROKEN => data-race line 17
//   one thread does not lock
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *careless(void *arg)
{
#ifdef BROKEN
    x++;
#else
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
#endif
    return arg;
}

static void *careful(void *arg)
{
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, careless, NULL);
    pthread_create(&b, NULL, careful, NULL);
    careful(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 3);
    return 0;
}
