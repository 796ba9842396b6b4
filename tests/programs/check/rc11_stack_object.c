// expect: verified
// selvedge: --model rc11
// a thread works on a local variable of the one who started it
// also: --model rc11 -- -DRACE => data-race line 14|31
//   both do
// also: --model rc11 -- -DGONE => dead-stack line 14
//   its function has returned
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>

static void *worker(void *arg)
{
    *(int *)arg += 1;
    return arg;
}

static pthread_t start(void)
{
    pthread_t t;
    int local = 1;
    pthread_create(&t, NULL, worker, &local);
#ifdef RACE
    local++;
#endif
#ifndef GONE
    pthread_join(t, NULL);
    assert(local == 2);
#endif
    return t;
}

int main(void)
{
    pthread_t t = start();
#ifdef GONE
    pthread_join(t, NULL);
#endif
    return t == 0;
}
