// Bit builtins: clz, ctz, popcount, parity, ffs, clrsb, bswap and rotates.
#include <stdint.h>
#include <stdio.h>

static uint8_t rot8(uint8_t v, unsigned n) { n &= 7; return (uint8_t)(v << n | v >> ((8 - n) & 7)); }
static uint16_t rot16(uint16_t v, unsigned n) { n &= 15; return (uint16_t)(v << n | v >> ((16 - n) & 15)); }
static uint32_t rot32(uint32_t v, unsigned n) { return v << (n & 31) | v >> (-n & 31); }
static uint64_t rot64(uint64_t v, unsigned n) { return v << (n & 63) | v >> (-n & 63); }
static uint64_t rotr64(uint64_t v, unsigned n) { return v >> (n & 63) | v << (-n & 63); }

static void one(uint64_t v)
{
    uint32_t w = (uint32_t)(v ^ v >> 32);
    printf("%016llx:", (unsigned long long)v);
    if (v) printf(" clz %d ctz %d", __builtin_clzll(v), __builtin_ctzll(v));
    if (w) printf(" clz %d ctz %d", __builtin_clz(w), __builtin_ctz(w));
    printf(" pop %d %d par %d %d ffs %d %d clrsb %d %d", __builtin_popcountll(v), __builtin_popcount(w),
           __builtin_parityll(v), __builtin_parity(w), __builtin_ffsll((long long)v), __builtin_ffs((int)w),
           __builtin_clrsbll((long long)v), __builtin_clrsb((int)w));
    printf(" swap %04x %08x %016llx\n", __builtin_bswap16((uint16_t)v), __builtin_bswap32(w),
           (unsigned long long)__builtin_bswap64(v));
}

static uint32_t reverse(uint32_t v)
{
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(v);
}

int main(void)
{
    uint64_t v[] = {0, 1, 2, 3, 0x80, 0xff, 0x8000000000000000ULL, ~0ULL, 0x123456789abcdef0ULL, 0xffffffff00000000ULL,
                    0x7fffffffffffffffULL, 0xfffffffffffffff0ULL};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        one(v[i]);
    uint64_t h = 0;
    for (unsigned n = 0; n < 70; n++) {
        h = h * 31 + rot8(0xb1, n);
        h = h * 31 + rot16(0x8e57, n);
        h = h * 31 + rot32(0xdeadbeefu, n);
        h = h * 31 + rot64(0x0123456789abcdefULL, n) + rotr64(h, n);
        h ^= reverse((uint32_t)h + n);
    }
    printf("%016llx %08x %08x\n", (unsigned long long)h, reverse(1), reverse(0x12345678));
    return 0;
}
