// Integer promotions and usual arithmetic conversions in awkward combinations.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    unsigned char a = 200, b = 100;
    printf("%d %d %d\n", a + b, (unsigned char)(a + b), a - b - b - b);
    printf("%d %d\n", ~a, (unsigned char)~a);
    printf("%d %d\n", -a, a << 4);
    a += 100;
    printf("%d\n", a);
    a = (unsigned char)(a << 3) >> 3;
    printf("%d\n", a);
    signed char s = -1;
    unsigned char u = 255;
    printf("%d %d %d\n", s == u, (unsigned char)s == u, s == (signed char)u);
    printf("%d %d %d\n", s < 1u, -1 < 1u, -1L < 1u);
    printf("%d %d\n", -1 < (unsigned short)1, -1LL < 1ul);
    short sh = 32767;
    sh++;
    printf("%d\n", sh);
    unsigned short us = 65535;
    printf("%u %d\n", us * 2u, us + 1);
    printf("%d\n", (unsigned short)(us * 2u) == 65534);
    unsigned ui = 1;
    int i = -2;
    printf("%u %d %u\n", ui + i, (int)(ui + i), i / ui);
    printf("%lld %lld\n", (long long)(ui + i), (long long)ui + i);
    printf("%d %d\n", (i >> 1) == -1, ((unsigned)i >> 1) == 0x7fffffff);
    long l = -1;
    printf("%d %lu\n", l < ui, l + ui + 0ul);
    printf("%llu\n", (unsigned long long)-1 + ui);
    printf("%d %d\n", (char)300 == 44, (int8_t)0x80);
    printf("%lld %lld\n", (long long)INT_MAX + 1, (long long)(INT_MAX + 1u));
    printf("%d %d\n", sizeof(a + b) == sizeof(int), sizeof(a) < -1);
    int8_t x8 = 127;
    x8 += x8;
    printf("%d\n", x8);
    uint8_t p = 15, q = 240;
    printf("%d %d %d\n", p & q, p | q, !(p ^ q));
    p = p * q;
    printf("%d\n", p);
    unsigned h = 0;
    for (int k = 0; k < 300; k++) {
        int8_t c8 = (int8_t)k;
        uint16_t w = (uint16_t)(c8 * 257);
        h = h * 7 + w + (uint8_t)c8 - (unsigned)(c8 >> 2);
    }
    printf("%u\n", h);
    float f = 1u - 2;
    double d = 1 - 2u, e = 5 / 2, g = 5 / 2.0f;
    printf("%g %g %g %g\n", f, d, e, g);
    return 0;
}
