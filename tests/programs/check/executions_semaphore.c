// expect: verified
// selvedge: --explorer exhaustive
// executions: 3
// the thread: store, post; main: store, wait, load, between create and join (counted by enumeration)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t ready;
static atomic_int x, y;

static void *worker(void *arg)
{
    atomic_store(&x, 1);
    sem_post(&ready);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&ready, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&y, 1);
    sem_wait(&ready);
    assert(atomic_load(&x) == 1);
    pthread_join(t, NULL);
    return 0;
}
