// Shifts of all widths: logical and arithmetic, by constants and variables, at the edges.
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    uint64_t h = 0;
    for (int n = 0; n < 64; n++) {
        h = h * 31 + (0x9e3779b97f4a7c15ULL << n);
        h = h * 31 + (0x9e3779b97f4a7c15ULL >> n);
        h = h * 31 + (uint64_t)((int64_t)0x9e3779b97f4a7c15ULL >> n);
        if (n < 32) {
            h = h * 31 + (0xdeadbeefu << n) + (0xdeadbeefu >> n);
            h ^= (uint64_t)(int64_t)((int32_t)0xdeadbeefu >> n);
        }
        if (n % 8 == 7)
            printf("%016llx\n", (unsigned long long)h);
    }
    int m = -1000;
    printf("%d %d %d %d\n", m >> 1, m >> 3, m >> 10, m >> 31);
    printf("%d %d\n", (-7) >> 1, (-7) / 2);
    unsigned char c = 0xf0;
    printf("%x %x %x\n", c >> 4, c << 4, (unsigned char)(c << 4));
    signed char sc = -128;
    printf("%d %d\n", sc >> 7, sc >> 2);
    short s = (short)0x8001;
    printf("%d %x\n", s >> 1, (unsigned)(uint16_t)s >> 1);
    printf("%u %llu\n", 1u << 31, 1ULL << 63);
    printf("%d %lld\n", 1 << 30, 1LL << 62);
    unsigned long long one = 1;
    for (char k = 0; k < 64; k += 9)
        printf("%llx ", one << k);
    puts("");
    unsigned x = 0x12345678;
    x <<= 4;
    x >>= 8;
    x <<= (x & 3);
    printf("%x\n", x);
    unsigned __int128 w = (unsigned __int128)0x0123456789abcdefULL << 60;
    for (int n = 0; n < 128; n += 31)
        printf("%016llx%016llx ", (unsigned long long)(w << n >> 64), (unsigned long long)(w >> n));
    puts("");
    __int128 sw = -(__int128)w;
    printf("%llx %llx\n", (unsigned long long)(sw >> 64), (unsigned long long)(sw >> 100));
    int n = 0;
    for (uint32_t v = 0xa5a5a5a5u; v; v >>= 1)
        n += v & 1;
    printf("%d\n", n);
    uint16_t lfsr = 0xace1;
    int period = 0;
    do {
        unsigned bit = (lfsr ^ lfsr >> 2 ^ lfsr >> 3 ^ lfsr >> 5) & 1u;
        lfsr = (uint16_t)(lfsr >> 1 | bit << 15);
        period++;
    } while (lfsr != 0xace1 && period < 5000);
    printf("%d %x\n", period, lfsr);
    return 0;
}
