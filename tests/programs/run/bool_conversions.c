// Conversions to and from _Bool of every scalar type, and arithmetic on bools.
#include <stdbool.h>
#include <stdio.h>

static bool from_int(int x) { return x; }
static bool from_ll(long long x) { return x; }
static bool from_d(double x) { return x; }
static bool from_f(float x) { return x; }
static bool from_p(const void *p) { return p; }
static bool from_c(char c) { return c; }
static int weigh(bool a, bool b, bool c) { return a * 4 + b * 2 + c; }

int main(void)
{
    printf("%d %d %d %d\n", from_int(0), from_int(256), from_int(-1), from_int(0x10000));
    printf("%d %d %d\n", from_ll(0), from_ll(1LL << 32), from_ll(-0x7fffffffffffffffLL - 1));
    printf("%d %d %d %d %d\n", from_d(0.0), from_d(-0.0), from_d(0.1), from_d(1e-310), from_d(0.0 / 1.0 - 5));
    printf("%d %d %d\n", from_f(0), from_f(0.5f), from_f(1e-44f));
    printf("%d %d\n", from_p(NULL), from_p("x"));
    printf("%d %d\n", from_c(0), from_c((char)128));
    double zero = 0, nan = zero / zero;
    printf("nan %d\n", from_d(nan));
    bool b = 3;
    b += 5;
    printf("%d", b);
    b -= 1;
    printf(" %d", b);
    b--;
    printf(" %d", b);
    b = !b;
    printf(" %d %d\n", b, ~(int)b);
    bool t = true, f = false;
    printf("%d %d %d %d %d\n", t + t, t & f, t | f, t ^ t, -t);
    printf("%d %d\n", (t << 3) | f, sizeof t == 1);
    printf("%d %d %d\n", weigh(5 > 3, 0, 77), weigh(2, 4, 0), weigh('a' == 97, !0, !!42));
    int n = 0;
    for (int i = 0; i < 1000; i++)
        n += (bool)(i & 6) + !(i % 7) + (i > 500 && i < 600) + (i < 10 || i > 990);
    printf("%d\n", n);
    bool arr[8];
    for (int i = 0; i < 8; i++)
        arr[i] = 0xa5 >> i & 1;
    unsigned v = 0;
    for (int i = 7; i >= 0; i--)
        v = v << 1 | arr[i];
    printf("%x %zu\n", v, sizeof arr);
    float fl = true;
    double d = (bool)0.3 + (bool)0.7;
    printf("%g %g\n", fl, d);
    return from_int(512);
}
