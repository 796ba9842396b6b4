// expect: verified
// selvedge: --model rc11
// a post hands over what was written before it
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => data-race line 19|32
//   there is a permit from the beginning
// also: --model rc11 -- -DMISSING => deadlock line 18
//   nobody posts
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t filled;
static int data;

static void *consumer(void *arg)
{
    sem_wait(&filled);
    assert(data == 1);
    return arg;
}

int main(void)
{
    pthread_t t;
#ifdef BROKEN
    sem_init(&filled, 0, 1);
#else
    sem_init(&filled, 0, 0);
#endif
    pthread_create(&t, NULL, consumer, NULL);
    data = 1;
#ifndef MISSING
    sem_post(&filled);
#endif
    pthread_join(t, NULL);
    return 0;
}
