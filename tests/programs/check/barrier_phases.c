// expect: verified
// a barrier orders plain accesses of two phases, and is used again
// also: --model tso => verified
// also: --model pso => verified
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int a[2];

static void *worker(void *arg)
{
    int me = arg != NULL;
    a[me] = 1;
    pthread_barrier_wait(&barrier);
    assert(a[1 - me] == 1);
    pthread_barrier_wait(&barrier);
    a[1 - me] = 2;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, worker, &barrier);
    worker(NULL);
    pthread_join(t, NULL);
    assert(a[0] == 2 && a[1] == 2);
    return 0;
}
