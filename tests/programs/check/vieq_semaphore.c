// selvedge: --explorer vieq
// expect: verified
// executions: 1
// what is loaded after the wait is always what was stored before the post
// also: --explorer optimal => verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t ready;
static atomic_int x;

static void *worker(void *arg)
{
    atomic_store(&x, 1);
    sem_post(&ready);
    return arg;
}

int main(void)
{
    pthread_t thread;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&ready);
    assert(atomic_load(&x) == 1);
    pthread_join(thread, NULL);
    return 0;
}
