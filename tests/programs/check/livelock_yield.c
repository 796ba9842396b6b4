// expect: livelock line 20
// waiting with sched_yield for a value that is skipped in some interleavings
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int stage;

static void *worker(void *arg)
{
    atomic_store(&stage, 1);
    atomic_store(&stage, 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    while (atomic_load(&stage) != 1)
        sched_yield();
    pthread_join(t, NULL);
    return 0;
}
