// expect: verified
// errno is each thread's own
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t empty;

static void *worker(void *arg)
{
    errno = 0;
    assert(sem_trywait(&empty) == -1 && errno == EAGAIN);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&empty, 0, 0);
    errno = 0;
    pthread_create(&t, NULL, worker, NULL);
    assert(errno == 0);
    pthread_join(t, NULL);
    assert(errno == 0);
    return 0;
}
