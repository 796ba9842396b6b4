// expect: deadlock line 9
// a barrier for three, but only two threads come
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
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    return 0;
}
