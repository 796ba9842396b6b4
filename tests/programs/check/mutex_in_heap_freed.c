// expect: use-after-free line 13
// a mutex inside a freed object is locked
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;
static sem_t freed;

static void *worker(void *arg)
{
    sem_wait(&freed);
    pthread_mutex_lock(mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    sem_init(&freed, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_destroy(mutex);
    free(mutex);
    sem_post(&freed);
    pthread_join(t, NULL);
    return 0;
}
