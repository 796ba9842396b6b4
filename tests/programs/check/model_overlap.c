// expect: verified
// selvedge: --model sc
// a thread stores a word, then one byte of it, and reads the word: it sees exactly its own stores; others see
// them in this order
// also: --model tso => verified
//   a load takes each byte from the newest store in the own buffer, and memory gets the stores in order
// also: --model pso => verified
//   a load takes each byte from the newest store in the own buffers; stores that overlap stay in order
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
    __atomic_store_n(&word.all, 0x11111111, __ATOMIC_RELAXED);
    __atomic_store_n(&word.byte[1], 0x22, __ATOMIC_RELAXED);
    assert(__atomic_load_n(&word.all, __ATOMIC_RELAXED) == 0x11112211);
    assert(__atomic_load_n(&word.byte[1], __ATOMIC_RELAXED) == 0x22);
    assert(__atomic_load_n(&word.byte[3], __ATOMIC_RELAXED) == 0x11);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    uint32_t seen = __atomic_load_n(&word.all, __ATOMIC_RELAXED);
    assert(seen == 0 || seen == 0x11111111 || seen == 0x11112211);
    pthread_join(t, NULL);
    assert(__atomic_load_n(&word.all, __ATOMIC_RELAXED) == 0x11112211);
    return 0;
}
