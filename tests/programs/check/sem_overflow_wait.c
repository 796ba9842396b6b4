// expect: assertion line 32
// also: --model rc11 => assertion line 32
// also: --model tso => assertion line 32
// also: -- -DSUCCEEDS => assertion line 30
// also: --model rc11 -- -DSUCCEEDS => assertion line 30
// also: -- -DLOOP => verified
// also: --model rc11 -- -DLOOP => verified
// whether there is room for a post depends on whether somebody has waited before
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *wait(void *arg)
{
    sem_wait(&semaphore);
    return arg;
}

int main(void)
{
    pthread_t thread;
    sem_init(&semaphore, 0, INT_MAX);
    pthread_create(&thread, NULL, wait, NULL);
#ifdef LOOP
    while (sem_post(&semaphore) != 0) { }
#elif defined SUCCEEDS
    assert(sem_post(&semaphore) != 0);
#else
    assert(sem_post(&semaphore) == 0);
#endif
    pthread_join(thread, NULL);
    return 0;
}
