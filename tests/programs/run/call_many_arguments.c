// Ordinary calls with more arguments than registers: integers, floats, mixed, small types, structs between.
#include <stdio.h>

struct p { int x, y; };

static long ints(int a, long b, short c, char d, unsigned e, long long f, int g, unsigned char h, long i, _Bool j, short k)
{
    return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + k * 11;
}
static double dbls(double a, float b, double c, double d, float e, double f, double g, double h, double i, float j, double k)
{
    return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + k * 11;
}
static double mixed(int a, double b, char c, float d, long e, double f, short g, double h, int i, float j, int k, double l, int m, double n, int o, double p, float q, int r)
{
    printf("%d %g %c %g %ld %g %d %g %d %g %d %g %d %g %d %g %g %d\n", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
    return a * b + c * d + (double)e * f + g * h + i * j + k * l + m * n + o * p + q * r;
}
static int structs(struct p a, int i, struct p b, const char *s, struct p c, int j, struct p d, struct p e, int k)
{
    return a.x + b.y * 2 + c.x * 3 + d.y * 4 + e.x * 5 + i + j + k + s[1];
}
static signed char narrow(signed char a, unsigned char b, short c, unsigned short d, _Bool e) { return (signed char)(a + b + c + d + e); }

static int recurse(int a, int b, int c, int d, int e, int f, int g, int h)
{
    if (a == 0)
        return b * 2 + c * 3 + d * 5 + e * 7 + f * 11 + g * 13 + h * 17;
    return recurse(a - 1, h, b, c, d, e, f, g) + g % 3;
}

int main(void)
{
    printf("%ld\n", ints(1, -2, 3, -4, 5, -6, 7, 250, -9, 1, -11));
    printf("%g\n", dbls(1, 0.5f, -3, 4, 0.25f, 6, -7, 8, 9, 0.125f, -11));
    printf("%g\n", mixed(1, 1.5, 'x', 2.5f, 1L << 33, -3.5, -7, 4.5, 9, 5.5f, 11, 6.5, 13, 7.5, 15, 8.5, 9.5f, 18));
    struct p p = {1, 2}, q = {30, 40};
    printf("%d\n", structs(p, 5, q, "abc", p, 6, q, p, 7));
    printf("%d %d\n", narrow(-100, 200, -1000, 60000, 1), narrow(127, 1, 0, 0, 0));
    printf("%d\n", recurse(25, 1, 2, 3, 4, 5, 6, 7));
    long (*f)(int, long, short, char, unsigned, long long, int, unsigned char, long, _Bool, short) = ints;
    printf("%ld\n", f(-1, 2, -3, 4, 0, 6, -7, 0, 9, 0, 11));
    return 0;
}
