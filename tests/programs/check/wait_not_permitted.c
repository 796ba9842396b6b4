// expect: verified
// also: --model rc11 => verified
// also: --model sc --explorer graph => verified
// also: -- -DWRONG=4 => assertion line 26
// also: -- -DWRONG=5 => assertion line 26
// also: --model rc11 -- -DWRONG=4 => assertion line 26
// also: --model rc11 -- -DWRONG=5 => assertion line 26
// a wait for a condition variable that fails changes neither that nor the mutex: only the critical sections are ordered
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int x;

#ifndef WRONG
#define WRONG 0
#endif

static void section(int number)
{
    pthread_mutex_lock(&mutex);
    x = 2 * x + number;
    assert(x != WRONG);
    pthread_mutex_unlock(&mutex);
}

static void *worker(void *arg)
{
    assert(pthread_cond_wait(&condition, &mutex) == EPERM);
    section(1);
    assert(pthread_cond_wait(&condition, &mutex) == EPERM);
    return arg;
}

static void *other(void *arg)
{
    section(2);
    pthread_cond_signal(&condition);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, worker, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
