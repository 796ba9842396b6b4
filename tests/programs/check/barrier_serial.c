// expect: verified
// exactly one thread is the serial thread of a barrier
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;

static void *worker(void *arg)
{
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD)
        atomic_fetch_add(&serial, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(serial == 1);
    pthread_barrier_destroy(&barrier);
    return 0;
}
