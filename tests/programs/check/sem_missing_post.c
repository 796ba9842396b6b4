// expect: deadlock line 24
// one post too few on one path
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t done;
static atomic_int stop;

static void *worker(void *arg)
{
    if (atomic_load(&stop))
        return arg;
    sem_post(&done);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&stop, 1);
    sem_wait(&done);
    pthread_join(t, NULL);
    return 0;
}
