// A long loop mixing integer, floating and memory operations with a running checksum.
#include <stdint.h>
#include <stdio.h>

static uint32_t state[64];
static double acc[8];

static uint32_t xorshift(uint32_t *s) { uint32_t x = *s; x ^= x << 13; x ^= x >> 17; x ^= x << 5; return *s = x; }

int main(void)
{
    uint32_t s = 2463534242u;
    uint64_t h = 0xcbf29ce484222325ULL;
    for (int i = 0; i < 64; i++)
        state[i] = xorshift(&s);
    for (int round = 1; round <= 20000; round++) {
        uint32_t r = xorshift(&s), i = r & 63, j = r >> 6 & 63;
        state[i] += state[j] ^ r;
        if (state[i] & 1)
            state[j] = state[j] << 7 | state[j] >> 25;
        else
            state[j] -= (uint32_t)round;
        if (round % 16 == 0)
            acc[r & 7] = acc[r & 7] * 0.5 + (double)(state[i] >> 8) / 65536.0;
        h = (h ^ state[i]) * 0x100000001b3ULL;
        if (round % 4000 == 0)
            printf("%d %016llx %.9g\n", round, (unsigned long long)h, acc[0]);
    }
    for (int i = 0; i < 8; i++)
        printf("%.12g ", acc[i]);
    puts("");
    uint32_t x = 0;
    for (int i = 0; i < 64; i++)
        x = x * 31 + state[i];
    printf("%08x\n", x);
    return (int)(x & 0x7f);
}
