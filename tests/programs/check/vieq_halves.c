// selvedge: --explorer vieq
// expect: verified
// executions: 49
// eight bytes that are accessed together, until somebody sees something and then stores to half of them only
// also: --explorer optimal => verified
// also: --explorer vieq -- -DFAIL => assertion line 47
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

union both {
    _Atomic uint64_t whole;
    _Atomic uint32_t half[2];
};

static union both x, y;
static atomic_int flag;

static void *storer(void *arg)
{
    atomic_store(&x.whole, 0x100000001ull);
    atomic_store(&flag, 1);
    atomic_store(&x.whole, 0x200000001ull);
    return arg;
}

static void *upper(void *arg)
{
    if (atomic_load(&x.whole) == 0x200000001ull)
        atomic_store(&x.half[1], 3);
    if (atomic_load(&flag))
        atomic_fetch_add(&y.whole, 0x100000001ull);
    return arg;
}

static void *lower(void *arg)
{
    if (atomic_load(&x.whole) >> 32 == 3) {
        atomic_store(&x.half[0], 7);
        if (atomic_load(&y.half[1]))
            atomic_store(&y.half[0], 5);
    }
    atomic_load(&y.whole);
    uint64_t last = atomic_load(&x.whole);
#ifdef FAIL
    assert(last != 0x300000007ull);
#endif
    (void)last;
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, lower, NULL);
    pthread_create(&threads[1], NULL, upper, NULL);
    pthread_create(&threads[2], NULL, storer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
