// Conversions between 128-bit integers and floating point, and 128-bit parameters.
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void hex(u128 v) { printf("%016llx:%016llx", (unsigned long long)(v >> 64), (unsigned long long)v); }

static i128 mix(int a, i128 b, char c, u128 d, i128 e, long f, i128 g)
{
    return a + b * c - (i128)d + e * f + g;
}

struct wrap { i128 v; int tag; };
static struct wrap make(i128 v, int t) { struct wrap w = {v, t}; w.v *= (i128)1 << t; return w; }

int main(void)
{
    double d[] = {0, 1.5, -1.5, 1e10, -1e18, 1e19, 1e30, -1e38, 0x1p64, 0x1p100, 0.999};
    for (unsigned i = 0; i < sizeof d / sizeof *d; i++) {
        hex((u128)(i128)d[i]);
        if (d[i] >= 0) { putchar(' '); hex((u128)d[i]); }
        printf(" %a\n", (double)(i128)d[i]);
    }
    hex((u128)(i128)-3.99f); puts("");
    hex((u128)0x1p127f); puts("");
    u128 v = 1;
    for (int i = 0; i < 40; i++) {
        v = v * 10 + (u128)(i % 10);
        if (i % 6 == 0)
            printf("%a %a %a\n", (double)v, (double)(i128)v, (double)(float)v);
    }
    u128 tie = ((u128)1 << 100) + ((u128)1 << 47);
    printf("%a %a %a\n", (double)tie, (double)(tie + 1), (double)(tie - 1));
    hex((u128)mix(1, (i128)1 << 90, 3, (u128)5 << 70, -7, 1L << 40, (i128)-1)); puts("");
    struct wrap w = make(-12345, 67);
    hex((u128)w.v); printf(" %d %zu\n", w.tag, sizeof w);
    i128 neg = -1;
    printf("%d %d %d\n", neg < 0, (u128)neg > 0, (int)(neg >> 127));
    i128 p80 = (i128)1 << 80;
    _Bool b = p80;
    printf("%d %d\n", b, !p80);
    return 0;
}
