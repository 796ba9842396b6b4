// selvedge: --explorer vieq
// expect: verified
// executions: 2
// after the barrier each sees what the other has stored before; one of the two is told that it is the last
// also: --explorer optimal => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int arrived[2];

static void *worker(void *arg)
{
    long me = (long)arg;
    atomic_store(&arrived[me], 1);
    pthread_barrier_wait(&barrier);
    assert(atomic_load(&arrived[1 - me]) == 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, worker, (void *)0L);
    pthread_create(&two, NULL, worker, (void *)1L);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
