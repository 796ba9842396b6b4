// selvedge: --explorer vieq
// expect: verified
// executions: 12,000
// so many alternatives take no longer than so many executions
// also: --explorer se-mcr => verified
// also: --explorer se-mcr --patience 0 => verified
// also: --explorer mcr => verified
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *holds(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, holds, NULL);
    pthread_mutex_trylock(&mutex);
    assert(selvedge_choose(4000) != 4000);
    return 0;
}
