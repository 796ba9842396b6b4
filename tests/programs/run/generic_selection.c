// _Generic selection over arithmetic, pointer, qualified and structure types.
#include <stdio.h>

struct a { int x; };
struct b { double y; };
typedef unsigned char byte;
enum e { E0, E1 };

#define NAME(x) _Generic((x), \
    _Bool: "bool", char: "char", signed char: "schar", unsigned char: "uchar", \
    short: "short", unsigned short: "ushort", int: "int", unsigned: "uint", \
    long: "long", unsigned long: "ulong", long long: "llong", unsigned long long: "ullong", \
    float: "float", double: "double", char *: "char*", const char *: "cchar*", \
    int *: "int*", void *: "void*", struct a: "struct a", struct b: "struct b", \
    int (*)(int): "fn", default: "other")

static int id(int x) { return x; }
static int absi(int x) { return x < 0 ? -x : x; }
static long absl(long x) { return x < 0 ? -x : x; }
static double absd(double x) { return x < 0 ? -x : x; }
#define ABS(x) _Generic((x), int: absi, long: absl, float: absd, double: absd)(x)

#define SHOW(x) printf("%-10s %s\n", #x, NAME(x))

int main(void)
{
    char c = 'c'; signed char sc = 1; byte by = 2; short s = 3; unsigned short us = 4;
    _Bool b = 1; float f = 1; struct a sa = {1}; struct b sb = {2};
    const int ci = 5; int arr[3] = {1, 2, 3}; const char *cp = "k"; enum e en = E1;
    SHOW(c); SHOW(sc); SHOW(by); SHOW(s); SHOW(us); SHOW(b); SHOW(f); SHOW(sa); SHOW(sb);
    SHOW(ci); SHOW(arr); SHOW(cp); SHOW("lit"); SHOW(id); SHOW(&sa); SHOW((void *)0);
    SHOW('x'); SHOW(1u); SHOW(1L); SHOW(1ul); SHOW(1LL); SHOW(1ull); SHOW(1.0); SHOW(1.0f);
    SHOW(c + c); SHOW(s + us); SHOW(1u + 1L); SHOW(f + 1); SHOW(f + 1.0); SHOW(b + b); SHOW(-by);
    SHOW(1 ? 1 : 2.0); SHOW(sizeof c); SHOW(&c - &c); SHOW(2147483648); SHOW(0x80000000); SHOW(0xffffffffffffffff);
    SHOW((char)1); SHOW(!f); SHOW(c == c); SHOW(en + 0); SHOW(~us); SHOW(s << 1L);
    printf("%d %ld %g %g\n", ABS(-5), ABS(-6L), ABS(-1.5f), ABS(2.5));
    int side = 0;
    printf("%d %d\n", _Generic(side++, int: 10, default: 20), side);
    return 0;
}
