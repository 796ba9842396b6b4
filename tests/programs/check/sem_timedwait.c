// expect: verified
// sem_timedwait gets the permit or times out
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t permit;
static int x;

static void *worker(void *arg)
{
    x = 1;
    sem_post(&permit);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec past = {0, 0};
    sem_init(&permit, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    if (sem_timedwait(&permit, &past) == 0)
        assert(x == 1);
    else
        assert(errno == ETIMEDOUT);
    pthread_join(t, NULL);
    return 0;
}
