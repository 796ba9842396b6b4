// expect: verified
// sem_trywait: one of two threads gets the only permit
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t permit;
static atomic_int winners;

static void *worker(void *arg)
{
    if (sem_trywait(&permit) == 0)
        atomic_fetch_add(&winners, 1);
    else
        assert(errno == EAGAIN);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&permit, 0, 1);
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(winners == 1);
    return 0;
}
