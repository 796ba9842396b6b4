// expect: livelock line 27
// nobody stores what a thread waits for, in one of two orders
// also: --explorer exhaustive => livelock line 27
// also: --explorer source => livelock line 27
// also: --explorer context => livelock line 27
// also: --model pso => livelock line 27
// also: --explorer graph => livelock line 27
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *stores(void *argument)
{
    atomic_store(&x, 2);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, stores, NULL);
    atomic_store(&x, 1);
    int seen;
    do {
        seen = atomic_load(&x);
    } while (seen != 1);
    pthread_join(thread, NULL);
    return 0;
}
