// expect: verified
// selvedge: --model rc11
// a barrier orders what everybody did before with what everybody does after
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => data-race line 20|26
//   nothing between reading and writing
// also: --model rc11 -- -DTOO_FEW => deadlock line 19
//   one more is waited for
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int a[2];

static void *worker(void *arg)
{
    int me = arg != NULL;
    a[me] = 1;
    int first = pthread_barrier_wait(&barrier);
    assert(a[1 - me] == 1);
#ifndef BROKEN
    int second = pthread_barrier_wait(&barrier);
    a[me] = 2;
#else
    int second = first;
    a[me] = 2;
#endif
    if (first == PTHREAD_BARRIER_SERIAL_THREAD && second == first)
        return arg;
    return NULL;
}

int main(void)
{
    pthread_t t;
#ifdef TOO_FEW
    pthread_barrier_init(&barrier, NULL, 3);
#else
    pthread_barrier_init(&barrier, NULL, 2);
#endif
    pthread_create(&t, NULL, worker, &barrier);
    worker(NULL);
    pthread_join(t, NULL);
    assert(a[0] == 2 && a[1] == 2);
    return 0;
}
