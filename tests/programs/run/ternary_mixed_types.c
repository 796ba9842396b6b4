// Conditional expressions: chains, mixed arithmetic types, pointers, structures, void, omitted operand.
#include <stdio.h>

struct s { int a; double b; };
static int calls;
static int f(int x) { calls++; return x; }
static void v1(void) { printf("v1 "); }
static void v2(void) { printf("v2 "); }

static const char *grade(int n) { return n >= 90 ? "A" : n >= 80 ? "B" : n >= 70 ? "C" : n >= 60 ? "D" : "F"; }

int main(void)
{
    for (int i = 55; i < 100; i += 9)
        printf("%s ", grade(i));
    puts("");
    int one = 1, zero = 0;
    printf("%g %g\n", one ? 1 : 2.5, zero ? 1 : 2.5);
    printf("%zu %zu %zu\n", sizeof(one ? 1 : 1.0), sizeof(one ? 'a' : (short)1), sizeof(one ? 1 : 1L));
    printf("%d\n", (one ? -1 : 1u) > 0);
    printf("%lld\n", (long long)(one ? -1 : 1ULL));
    signed char c = -5;
    unsigned short us = 60000;
    printf("%d %d\n", one ? c : us, zero ? c : us);
    printf("%f\n", (double)(one ? 16777217 : 1.0f));
    const char *p = one ? "yes" : NULL;
    void *vp = one ? (void *)&one : (void *)p;
    int *ip = zero ? 0 : &zero;
    printf("%s %d %d\n", p, *(int *)vp, *ip);
    struct s x = {1, 1.5}, y = {2, 2.5};
    struct s z = one ? x : y;
    printf("%d %g %d\n", z.a, (zero ? x : y).b, (f(one) ? y : x).a);
    one ? v1() : v2();
    zero ? v1() : v2();
    puts("");
    printf("%d %d", f(7) ?: 3, f(0) ?: 3);
    printf(" calls %d\n", calls);
    *(one ? &x.a : &y.a) = 99;
    printf("%d %d\n", x.a, y.a);
    int (*fn)(const char *) = one ? puts : NULL;
    fn("through conditional");
    int n = 0;
    for (int i = -20; i < 20; i++)
        n += i < -10 ? i > -15 ? 1 : 2 : i < 10 ? i & 1 ? 3 : i & 2 ? 4 : 5 : i % 3 ? 6 : f(7);
    printf("%d %d\n", n, calls);
    int a = 5, b = 3, m = a > b ? a : b, w = (a > b) - (a < b);
    printf("%d %d\n", m, w);
    return one ? zero ? 1 : 2 : 3;
}
