// selvedge: --explorer vieq
// expect: verified
// who waits in a loop for a flag goes on when it is set
// also: --explorer optimal => verified
// also: --explorer vieq -- -DNEVER => livelock line 26
// also: --explorer optimal -- -DNEVER => livelock line 26
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, data;

static void *setter(void *arg)
{
    atomic_store(&data, 1);
#ifndef NEVER
    atomic_store(&flag, 1);
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, setter, NULL);
    while (!atomic_load(&flag))
        ;
    assert(atomic_load(&data) == 1);
    pthread_join(thread, NULL);
    return 0;
}
