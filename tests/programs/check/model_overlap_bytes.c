// expect: verified
// selvedge: --model sc
// a thread stores two bytes of a word, then all of it: it sees exactly its own stores; another thread does
// not see the second byte without the first
// also: --model tso => verified
//   stores stay in order, also those of different bytes of a word
// also: --model pso => assertion line 34
//   the bytes are different locations, so the second may be in memory before the first
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static union {
    uint32_t all;
    uint8_t byte[4];
} word;

static void *writer(void *arg)
{
    __atomic_store_n(&word.byte[0], 1, __ATOMIC_RELAXED);
    __atomic_store_n(&word.byte[2], 1, __ATOMIC_RELAXED);
    assert(__atomic_load_n(&word.all, __ATOMIC_RELAXED) == 0x00010001);
    __atomic_store_n(&word.all, 0x05050505, __ATOMIC_RELAXED);
    assert(__atomic_load_n(&word.byte[2], __ATOMIC_RELAXED) == 5);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    uint32_t seen = __atomic_load_n(&word.all, __ATOMIC_RELAXED);
    assert(seen != 0x00010000);
    pthread_join(t, NULL);
    assert(__atomic_load_n(&word.all, __ATOMIC_RELAXED) == 0x05050505);
    return 0;
}
