// expect: data-race line 13|14
// a barrier before the reads, but none between the reads and the next writes
#include <pthread.h>

static pthread_barrier_t barrier;
static int a[2];

static void *worker(void *arg)
{
    int me = arg != NULL;
    a[me] = 1;
    pthread_barrier_wait(&barrier);
    int other = a[1 - me];
    a[me] = other + 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, worker, &barrier);
    worker(NULL);
    pthread_join(t, NULL);
    return 0;
}
