// expect: verified
// a semaphore as a mutex
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t mutex;
static int x;

static void *worker(void *arg)
{
    sem_wait(&mutex);
    x++;
    sem_post(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    int value;
    sem_init(&mutex, 0, 1);
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    sem_getvalue(&mutex, &value);
    assert(x == 2 && value == 1);
    sem_destroy(&mutex);
    return 0;
}
