// expect: verified
// stdatomic: every fetch operation, in two threads that do not disturb each other's bits
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint bits = 0x0f;

static void *worker(void *arg)
{
    atomic_fetch_or_explicit(&bits, 0x100, memory_order_relaxed);
    atomic_fetch_xor_explicit(&bits, 0x300, memory_order_acq_rel);
    atomic_fetch_add_explicit(&bits, 0x400, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_fetch_and_explicit(&bits, ~1u, memory_order_acquire);
    atomic_fetch_sub_explicit(&bits, 2, memory_order_seq_cst);
    pthread_join(t, NULL);
    assert(atomic_load_explicit(&bits, memory_order_relaxed) == 0x60c);
    return 0;
}
