// expect: verified
// a detached thread and a semaphore in place of the join
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t finished;
static int value;

static void *worker(void *arg)
{
    value = 5;
    sem_post(&finished);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&finished, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    sem_wait(&finished);
    assert(value == 5);
    return 0;
}
