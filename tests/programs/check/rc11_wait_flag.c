// expect: verified
// selvedge: --model rc11
// waiting for a flag, and plain data behind it
// also: --model rc11 -- -DNOBODY => livelock line 38
//   nobody sets it
// also: --model rc11 -- -DSET=memory_order_relaxed => data-race line 43|27
// also: --model rc11 -- -DWAIT=memory_order_relaxed => data-race line 43|27
// also: --model rc11 -- -DWAIT=memory_order_relaxed -DFENCE => verified
//   a fence behind the loop does it, too
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SET
#define SET memory_order_release
#endif
#ifndef WAIT
#define WAIT memory_order_acquire
#endif

static atomic_int flag;
static int data;

static void *sender(void *arg)
{
    data = 1;
#ifndef NOBODY
    atomic_store_explicit(&flag, 1, SET);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    while (!atomic_load_explicit(&flag, WAIT)) {
    }
#ifdef FENCE
    atomic_thread_fence(memory_order_acquire);
#endif
    assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
