// expect: verified
// selvedge: --model sc
// relaxed updates go on with a release sequence, be they by the thread that has released (here), or by another (OTHER);
// not if that thread has stored something in between (STORE), unless in C11
// also: --model sc --release-sequences c11 => verified
// also: --model tso => verified
// also: --model pso => verified
// also: --model rc11 => verified
// also: --model ra => verified
// also: --model sc -- -DOTHER => verified
// also: --model tso -- -DOTHER => verified
// also: --model pso -- -DOTHER => verified
// also: --model rc11 -- -DOTHER => verified
// also: --model sc --release-sequences c11 -- -DOTHER => verified
// also: --model tso --release-sequences c11 -- -DOTHER => verified
// also: --model rc11 --release-sequences c11 -- -DOTHER => verified
// also: --model sc -- -DSTORE => data-race line 41|71
// also: --model tso -- -DSTORE => data-race line 41|71
// also: --model pso -- -DSTORE => data-race line 41|71
// also: --model rc11 -- -DSTORE => data-race line 41|71
// also: --model ra -- -DSTORE => data-race line 41|71
// also: --model sc --release-sequences c11 -- -DSTORE => verified
// also: --model tso --release-sequences c11 -- -DSTORE => verified
// also: --model pso --release-sequences c11 -- -DSTORE => verified
// also: --model rc11 --release-sequences c11 -- -DSTORE => verified
// also: --model ra --release-sequences c11 -- -DSTORE => verified
// also: --model sc -- -DSTORE -DOTHER => data-race line 41|71
// also: --model pso -- -DSTORE -DOTHER => data-race line 41|71
// also: --model ra -- -DSTORE -DOTHER => data-race line 41|71
// also: --model sc --release-sequences c11 -- -DSTORE -DOTHER => verified
// also: --model pso --release-sequences c11 -- -DSTORE -DOTHER => verified
// also: --model rc11 --release-sequences c11 -- -DSTORE -DOTHER => verified
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *sender(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
#ifdef STORE
    atomic_store_explicit(&flag, 10, memory_order_relaxed);
#endif
#ifndef OTHER
    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
#endif
    return arg;
}

static void *other(void *arg)
{
#ifdef OTHER
    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
#endif
    return arg;
}

int main(void)
{
    pthread_t one, two;
    int seen = 0;
    pthread_create(&one, NULL, sender, NULL);
    pthread_create(&two, NULL, other, NULL);
#ifdef STORE
    if (atomic_load_explicit(&flag, memory_order_acquire) == 11)
#else
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
#endif
        seen = data;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return seen > 1;
}
