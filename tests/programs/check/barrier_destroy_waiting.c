// expect: bad-destroy line 9|18
// a barrier is destroyed while a thread waits at it
#include <pthread.h>

static pthread_barrier_t barrier;

static void *worker(void *arg)
{
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, worker, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
