// expect: deadlock line 12|22
// a thread waits at a semaphore with the lock held that the poster needs
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t items;

static void *consumer(void *arg)
{
    pthread_mutex_lock(&mutex);
    sem_wait(&items);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&items, 0, 0);
    pthread_create(&t, NULL, consumer, NULL);
    pthread_mutex_lock(&mutex);
    sem_post(&items);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
