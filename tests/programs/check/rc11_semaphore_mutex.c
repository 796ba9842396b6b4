// expect: verified
// selvedge: --model rc11
// a semaphore with one permit is a mutex; who tries may not get it, nor who does not wait for ever
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DPERMITS=2 => data-race line 34
//   with two it is none
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#ifndef PERMITS
#define PERMITS 1
#endif

static sem_t permits;
static int x;

static void *worker(void *arg)
{
    int mine;
    if (arg == NULL) {
        mine = sem_wait(&permits) == 0;
    } else {
        struct timespec later;
        clock_gettime(CLOCK_REALTIME, &later);
        later.tv_sec += 1;
        mine = sem_timedwait(&permits, &later) == 0;
        if (!mine)
            assert(errno == ETIMEDOUT);
    }
    if (mine) {
        x++;
        sem_post(&permits);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&permits, 0, PERMITS);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, &permits);
    pthread_join(a, NULL);
    if (sem_trywait(&permits) == 0) {
        assert(x == 1 || x == 2);
        sem_post(&permits);
    }
    pthread_join(b, NULL);
    assert(x == 1 || x == 2);
    return 0;
}
