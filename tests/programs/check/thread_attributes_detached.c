// expect: verified
// a thread created detached by its attributes; main does not wait for it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    assert(pthread_create(&t, &attributes, worker, NULL) == 0);
    pthread_attr_destroy(&attributes);
    assert(atomic_load(&x) <= 1);
    return 0;
}
