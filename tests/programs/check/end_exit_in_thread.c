// expect: verified
// exit in a thread ends the process, although main waits for something that never comes
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t never;

static void *worker(void *arg)
{
    if (!arg)
        exit(0);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    sem_wait(&never);
    return 1;
}
