// __builtin_{add,sub,mul}_overflow over all widths, mixed result types and their carries.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#define T3(TY, A, B) do { TY x = (TY)(A), y = (TY)(B), r; \
    int o = __builtin_add_overflow(x, y, &r); printf(#TY ": +%d %lld", o, (long long)r); \
    o = __builtin_sub_overflow(x, y, &r); printf(" -%d %lld", o, (long long)r); \
    o = __builtin_mul_overflow(x, y, &r); printf(" *%d %lld\n", o, (long long)r); } while (0)

int main(void)
{
    T3(int8_t, 100, 27); T3(int8_t, 100, 28); T3(int8_t, -128, 1); T3(int8_t, -128, -1); T3(int8_t, 11, -12);
    T3(uint8_t, 200, 55); T3(uint8_t, 200, 56); T3(uint8_t, 16, 16); T3(uint8_t, 0, 1);
    T3(int16_t, 32767, 1); T3(int16_t, 181, 181); T3(uint16_t, 65535, 65535);
    T3(int, INT_MAX, 1); T3(int, INT_MIN, -1); T3(int, 46341, 46341); T3(int, -5, 7);
    T3(unsigned, 0, 1); T3(unsigned, UINT_MAX, 1); T3(unsigned, 65536, 65535);
    T3(long, LONG_MAX, LONG_MAX); T3(long, LONG_MIN, LONG_MIN); T3(long, 3037000500, 3037000500);
    T3(unsigned long, ULONG_MAX, 2); T3(unsigned long, 1, 2); T3(unsigned long, 1ul << 32, 1ul << 31);
    signed char sc;
    printf("%d", __builtin_add_overflow(1000, 24, &sc));
    printf(" %d\n", sc);
    unsigned u;
    printf("%d", __builtin_sub_overflow(3, 5, &u));
    printf(" %u\n", u);
    long l;
    printf("%d", __builtin_mul_overflow(INT_MAX, UINT_MAX, &l));
    printf(" %ld\n", l);
    unsigned long ul;
    printf("%d", __builtin_add_overflow(-1, 1u, &ul));
    printf(" %lu\n", ul);
    printf("%d", __builtin_mul_overflow(-1L, 5ul, &l));
    printf(" %ld\n", l);
    __int128 w;
    printf("%d", __builtin_mul_overflow((__int128)LONG_MAX * 4, (__int128)LONG_MAX * 4, &w));
    printf(" %llx\n", (unsigned long long)w);
    printf("%d\n", __builtin_mul_overflow((__int128)LONG_MAX, (__int128)LONG_MIN, &w));
    int i, j, k3;
    printf("%d %d %d", __builtin_sadd_overflow(5, 6, &i), __builtin_ssub_overflow(INT_MIN, 1, &j), __builtin_smul_overflow(1 << 20, 1 << 12, &k3));
    printf(" %d %d %d\n", i, j, k3);
    unsigned long long a[3] = {~0ULL, ~0ULL, 5}, b[3] = {1, 0, 7};
    int carry = 0;
    for (int k = 0; k < 3; k++) {
        unsigned long long t;
        int c1 = __builtin_add_overflow(a[k], b[k], &t);
        int c2 = __builtin_add_overflow(t, (unsigned long long)carry, &t);
        carry = c1 | c2;
        printf("%llx/%d ", t, carry);
    }
    puts("");
    return 0;
}
