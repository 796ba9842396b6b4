// expect: data-race line 28|50
// selvedge: --model sc --release-sequences c11
// in C11, too, another thread's store that comes in between ends a release sequence: the later store of the thread
// that has released is not part of it. After a fence, each store begins a sequence of its own (FENCE)
// also: --model tso --release-sequences c11 => data-race line 28|50
// also: --model pso --release-sequences c11 => data-race line 28|50
// also: --model rc11 --release-sequences c11 => data-race line 28|50
// also: --model ra --release-sequences c11 => data-race line 28|50
// also: --model sc => data-race line 28|50
// also: --model sc --release-sequences c11 -- -DFENCE => verified
// also: --model tso --release-sequences c11 -- -DFENCE => verified
// also: --model pso --release-sequences c11 -- -DFENCE => verified
// also: --model rc11 --release-sequences c11 -- -DFENCE => verified
// also: --model ra --release-sequences c11 -- -DFENCE => verified
// also: --model sc -- -DFENCE => verified
// also: --model tso -- -DFENCE => verified
// also: --model pso -- -DFENCE => verified
// also: --model rc11 -- -DFENCE => verified
// also: --model ra -- -DFENCE => verified
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *sender(void *arg)
{
    data = 1;
#ifdef FENCE
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return arg;
}

static void *other(void *arg)
{
    atomic_store_explicit(&flag, 3, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    int seen = 0;
    pthread_create(&one, NULL, sender, NULL);
    pthread_create(&two, NULL, other, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        seen = data;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return seen > 1;
}
