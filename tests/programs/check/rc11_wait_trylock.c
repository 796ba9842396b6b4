// expect: verified
// selvedge: --model rc11
// waiting by trying again
// also: --model rc11 -- -DHELD => livelock line 16
//   nobody gives it back
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    while (pthread_mutex_trylock(&mutex) != 0)
        sched_yield();
    x++;
#ifndef HELD
    pthread_mutex_unlock(&mutex);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
