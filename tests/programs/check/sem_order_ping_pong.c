// expect: verified
// two semaphores pass the turn to and fro
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int ball;

static void *worker(void *arg)
{
    sem_wait(&ping);
    ball = ball * 2;
    sem_post(&pong);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    ball = 4;
    sem_post(&ping);
    sem_wait(&pong);
    ball = ball + 1;
    assert(ball == 9);
    pthread_join(t, NULL);
    return 0;
}
