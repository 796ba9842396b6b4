// expect: data-race line 12
// a semaphore with two permits is no mutex
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;
static int x;

static void *worker(void *arg)
{
    sem_wait(&permits);
    x++;
    sem_post(&permits);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&permits, 0, 2);
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    return 0;
}
