// expect: verified
// a thread sets a flag, then waits for the answer: the flag gets to memory while it waits, so there is no
// livelock
// also: --model tso => verified
//   buffers do not wait for the thread: the flag gets to memory
// also: --model pso => verified
//   buffers do not wait for the thread: the flag gets to memory
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag, answer;

static void *worker(void *arg)
{
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    while (!atomic_load_explicit(&answer, memory_order_relaxed)) {
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
    }
    atomic_store_explicit(&answer, 1, memory_order_relaxed);
    while (atomic_load_explicit(&answer, memory_order_relaxed) != 1) {
    }
    pthread_join(t, NULL);
    return 0;
}
