// expect: verified
// selvedge: --model sc
// two threads store different bytes of a word and read all of it: each sees its own byte, and none is lost
// also: --model tso => verified
//   the own byte comes from the buffer, the others from memory; a store of a byte writes no other
// also: --model pso => verified
//   the own byte comes from the buffer, the others from memory; a store of a byte writes no other
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static union {
    uint32_t all;
    uint8_t byte[4];
} word;

static void *worker(void *arg)
{
    int me = arg != NULL;
    __atomic_store_n(&word.byte[me], 1, __ATOMIC_RELAXED);
    uint32_t seen = __atomic_load_n(&word.all, __ATOMIC_RELAXED);
    assert((seen >> (8 * me) & 0xff) == 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, &t);
    worker(NULL);
    pthread_join(t, NULL);
    assert(__atomic_load_n(&word.all, __ATOMIC_RELAXED) == 0x0101);
    return 0;
}
