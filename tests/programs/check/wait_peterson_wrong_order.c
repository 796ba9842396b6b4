// expect: assertion line 17
// Peterson's algorithm with the two stores exchanged does not exclude
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void *worker(void *arg)
{
    int me = arg != NULL;
    atomic_store(&turn, 1 - me);
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me) {
    }
    int others = atomic_fetch_add(&inside, 1);
    assert(others == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, &turn);
    worker(NULL);
    pthread_join(t, NULL);
    return 0;
}
