// expect: verified
// selvedge: --model sc
// a release store of eight bytes synchronises with an acquire load of the upper four
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static union {
    _Alignas(8) uint64_t all;
    uint32_t half[2];
} word;
static int data;

static void *writer(void *arg)
{
    data = 1;
    __atomic_store_n(&word.all, 0x100000001u, __ATOMIC_RELEASE);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (__atomic_load_n(&word.half[1], __ATOMIC_ACQUIRE))
        data++;
    pthread_join(t, NULL);
    return 0;
}
