// expect: verified
// two threads set a flag each, then wait for the other's: both flags get to memory, so there is no livelock
// also: --model tso => verified
//   buffers do not wait for the thread: both flags get to memory
// also: --model pso => verified
//   buffers do not wait for the thread: both flags get to memory
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int here[2];

static void *worker(void *arg)
{
    int me = arg != NULL;
    atomic_store_explicit(&here[me], 1, memory_order_relaxed);
    while (!atomic_load_explicit(&here[1 - me], memory_order_relaxed)) {
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, &t);
    worker(NULL);
    pthread_join(t, NULL);
    return 0;
}
