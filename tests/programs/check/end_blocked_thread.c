// expect: verified
// threads that are blocked when main returns are no deadlock
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;

static void *at_mutex(void *arg)
{
    pthread_mutex_lock(&mutex);
    return arg;
}

static void *at_semaphore(void *arg)
{
    sem_wait(&never);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    sem_init(&never, 0, 0);
    pthread_mutex_lock(&mutex);
    pthread_create(&one, NULL, at_mutex, NULL);
    pthread_create(&two, NULL, at_semaphore, NULL);
    return 0;
}
