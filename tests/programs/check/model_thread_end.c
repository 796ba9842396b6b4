// expect: verified
// what a thread has stored is in memory when it has been joined, however it ends
// also: --model tso => verified
//   a thread ends when its buffers are empty, and a join waits for the end
// also: --model pso => verified
//   a thread ends when its buffers are empty, and a join waits for the end
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *returns(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return arg;
}

static void *exits(void *arg)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    pthread_exit(arg);
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, returns, NULL);
    pthread_create(&two, NULL, exits, NULL);
    pthread_join(one, NULL);
    assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
    pthread_join(two, NULL);
    assert(atomic_load_explicit(&y, memory_order_relaxed) == 1);
    return 0;
}
