// expect: livelock line 15
// a flag that is set and taken back at once by its only setter: whoever looks late waits for ever
// also: --model tso => livelock line 15
//   in the end memory has what was stored last, and the waiter waits for ever
// also: --model pso => livelock line 15
//   in the end memory has what was stored last, and the waiter waits for ever
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *waiter(void *arg)
{
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 0, memory_order_relaxed);
    pthread_join(t, NULL);
    return 0;
}
