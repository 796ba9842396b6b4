// expect: verified
// selvedge: --model rc11
// fences around relaxed accesses hand over plain data
// also: --model rc11 -- -DRELEASE=memory_order_acquire => data-race line 41|24
// also: --model rc11 -- -DACQUIRE=memory_order_release => data-race line 41|24
// also: --model rc11 -- -DLATE => data-race line 41|24
// also: --model rc11 -- -DRELEASE=memory_order_seq_cst -DACQUIRE=memory_order_acq_rel => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef RELEASE
#define RELEASE memory_order_release
#endif
#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif

static atomic_int flag;
static int data;

static void *sender(void *arg)
{
    data = 1;
#ifndef LATE
    atomic_thread_fence(RELEASE);
#endif
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
#ifdef LATE
    atomic_thread_fence(RELEASE);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        atomic_thread_fence(ACQUIRE);
        assert(data == 1);
    }
    pthread_join(t, NULL);
    return 0;
}
