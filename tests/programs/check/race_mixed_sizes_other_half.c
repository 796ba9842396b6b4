// expect: data-race line 17|26
// a release store to one half of a word does not synchronise with a load of the other half
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
    __atomic_store_n(&word.half[1], 1, __ATOMIC_RELAXED);
    /* Both halves have been written when the reader goes on, but only the other one is released. */
    data = 1;
    __atomic_store_n(&word.half[0], 1, __ATOMIC_RELEASE);
    return arg;
}

static int reader(void)
{
    if (!__atomic_load_n(&word.half[1], __ATOMIC_ACQUIRE))
        return 0;
    return data;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    reader();
    pthread_join(t, NULL);
    return 0;
}
