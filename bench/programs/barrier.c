// N threads meet at a barrier, R times. Who comes last is told so (PTHREAD_BARRIER_SERIAL_THREAD); in which order the
// others come makes no difference. So there are N^R classes.
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif
#ifndef R
#define R 2
#endif

static pthread_barrier_t barrier;

static void *meets(void *argument)
{
    for (int round = 0; round < R; round++)
        pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, N);
    for (int number = 0; number < N; number++)
        pthread_create(&thread, NULL, meets, NULL);
    return 0;
}
