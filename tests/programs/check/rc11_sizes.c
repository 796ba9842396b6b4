// expect: verified
// selvedge: --model rc11
// a word that threads write in parts: neither the parts nor their order matter to each other
// executions: 6
// also: --model rc11 -- -DOVERLAP => data-race line 23|33
// also: --model rc11 -- -DWRONG => assertion line 53
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static union {
    unsigned whole;
    unsigned char bytes[4];
    unsigned short halves[2];
} both;
static atomic_int done;

static void *low(void *arg)
{
    both.bytes[0] = 1;
#ifdef OVERLAP
    both.bytes[2] = 2;
#else
    both.bytes[1] = 2;
#endif
    atomic_fetch_add_explicit(&done, 1, memory_order_release);
    return arg;
}

static void *high(void *arg)
{
    both.halves[1] = 0x0403;
    atomic_fetch_add_explicit(&done, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, low, NULL);
    pthread_create(&b, NULL, high, NULL);
    if (atomic_load_explicit(&done, memory_order_acquire) == 2)
        assert(both.whole == 0x04030201);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifndef OVERLAP
    assert(both.whole == 0x04030201);
    both.whole = 0x11223344;
    assert(both.halves[1] == 0x1122 && both.bytes[0] == 0x44);
#endif
#ifdef WRONG
    assert(both.bytes[3] != 0x11);
#endif
    return 0;
}
