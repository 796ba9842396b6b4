// selvedge: --explorer se-mcr --keep-going
// expect: livelock line 17
// executions: 2
// the loop goes round once, or twice if its first store has changed something
// also: --explorer se-mcr --patience 0 --keep-going => livelock line 17
// also: --explorer vieq --keep-going => livelock line 17
// also: --explorer mcr => livelock line 17
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, never;

static void *waits(void *arg)
{
    do
        x = 1;
    while (never != 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    x = 1;
    pthread_join(thread, NULL);
    return 0;
}
