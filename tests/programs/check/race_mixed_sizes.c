// expect: data-race line 13|21
// accesses of different sizes that overlap in one byte
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t word;
    uint8_t bytes[4];
} shared;

static void *worker(void *arg)
{
    shared.bytes[3] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    uint32_t word = shared.word;
    pthread_join(t, NULL);
    return word == 1;
}
