// expect: verified
// selvedge: --model sc --explorer graph --allow deadlock --keep-going
// executions: 6
// found by fuzz explore: the tool counts 7 executions, the oracle 6
//   main       | thread 1
//   spawn 1    | broadcast c0
//   lock m0    | r1 = trylock m0
//   wait c0 m0 | if r1 == 0
//   unlock m0  |   broadcast c0
//   join 1     |   unlock m0
// A wait begins and gives the mutex back at once. If the first broadcast wakes main, the mutex has been given back, and
// trylock can fail only because main has taken it again.
#include <pthread.h>

static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;

static void *thread_1(void *argument)
{
    pthread_cond_broadcast(&c0);
    if (pthread_mutex_trylock(&m0) == 0) {
        pthread_cond_broadcast(&c0);
        pthread_mutex_unlock(&m0);
    }
    return NULL;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, thread_1, NULL);
    pthread_mutex_lock(&m0);
    pthread_cond_wait(&c0, &m0);
    pthread_mutex_unlock(&m0);
    pthread_join(one, NULL);
    return 0;
}
