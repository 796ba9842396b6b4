// expect: deadlock line 24
// the thread calls exit only in some interleavings; in the others main waits for ever
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static sem_t never;
static atomic_int x;

static void *worker(void *arg)
{
    if (atomic_load(&x) == 0)
        exit(0);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, 1);
    sem_wait(&never);
    return 1;
}
