// flags: -std=c23
// _BitInt of many widths up to 128: wrap-around, conversion, shifts, division, comparison.
#include <stdio.h>

typedef unsigned _BitInt(128) u128;
typedef _BitInt(128) i128;

static void hex(const char *t, u128 v) { printf("%s %016llx%016llx\n", t, (unsigned long long)(v >> 64), (unsigned long long)v); }

static _BitInt(37) mix(_BitInt(7) a, unsigned _BitInt(19) b, _BitInt(37) c) { return c / 3 + b - a; }

struct s { _BitInt(5) a; unsigned _BitInt(33) b; _BitInt(100) c; };

int main(void)
{
    unsigned _BitInt(3) u3 = 0;
    for (int i = 0; i < 10; i++) {
        printf("%u ", (unsigned)u3);
        u3 += 3uwb;
    }
    puts("");
    _BitInt(5) s5 = -16;
    for (int i = 0; i < 30; i += 6) {
        printf("%d ", (int)s5);
        s5 = (_BitInt(5))(s5 + 6wb);
    }
    puts("");
    unsigned _BitInt(1) one = 1;
    one += 1uwb;
    printf("%u\n", (unsigned)one);
    unsigned _BitInt(17) u17 = 131071;
    printf("%u %u\n", (unsigned)(u17 * u17), (unsigned)(u17 / 7uwb));
    _BitInt(65) w65 = (_BitInt(65))1 << 63;
    w65 *= 1;
    hex("w65", (u128)(i128)w65);
    w65 = -w65 - 5;
    hex("w65", (u128)(i128)w65);
    printf("%d\n", w65 < 0);
    u128 a = 0x123456789abcdef0123456789abcdef0uwb, b = 0xfedcba987wb;
    hex("mul", a * b);
    hex("div", a / b);
    hex("mod", a % b);
    hex("shl", a << 77);
    hex("shr", a >> 77);
    hex("sar", (u128)((i128)(~a) >> 77));
    hex("xor", a ^ (a >> 3) ^ ~(a << 9));
    i128 n = -(i128)b;
    hex("sdiv", (u128)((i128)(a >> 1) / n));
    hex("smod", (u128)((i128)(a >> 1) % n));
    printf("%lld\n", (long long)mix(-60, 500000, -68000000000wb));
    struct s s = {15, 8589934591, -1};
    s.c = s.c * 1000000007 * 1000000007;
    s.b = s.b + 2;
    printf("%d %llu %zu\n", (int)s.a, (unsigned long long)s.b, sizeof s);
    hex("s.c", (u128)(i128)s.c);
    printf("%zu %zu %zu %zu %zu\n", sizeof(_BitInt(2)), sizeof(_BitInt(9)), sizeof(_BitInt(33)), sizeof(_BitInt(65)), sizeof(i128));
    unsigned _BitInt(24) h = 1;
    for (int i = 0; i < 1000; i++)
        h = h * 69069uwb + (unsigned _BitInt(24))i;
    printf("%u %g\n", (unsigned)h, (double)h);
    return 0;
}
