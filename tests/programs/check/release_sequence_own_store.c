// expect: data-race line 23|35
// selvedge: --model sc
// a relaxed store ends the release sequence, although it is by the thread that has released; in C11 it goes on
// with it. All explorers and models say the same
// also: --model sc --release-sequences c11 => verified
// also: --model tso => data-race line 23|35
// also: --model pso => data-race line 23|35
// also: --model rc11 => data-race line 23|35
// also: --model ra => data-race line 23|35
// also: --model tso --release-sequences c11 => verified
// also: --model pso --release-sequences c11 => verified
// also: --model rc11 --release-sequences c11 => verified
// also: --model ra --release-sequences c11 => verified
// also: --model sc --release-sequences c20 => data-race line 23|35
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *sender(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, sender, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        seen = data;
    pthread_join(thread, NULL);
    return seen > 1;
}
