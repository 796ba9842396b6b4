// expect: bad-destroy line 12
// main destroys the mutex too early: a thread locks it afterwards
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t turn;

static void *worker(void *arg)
{
    sem_wait(&turn);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&turn, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_destroy(&mutex);
    sem_post(&turn);
    pthread_join(t, NULL);
    return 0;
}
