// __builtin_expect, constant_p, choose_expr, types_compatible_p, unreachable (not reached), assume_aligned, prefetch.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define SAME(a, b) __builtin_types_compatible_p(__typeof__(a), __typeof__(b))
#define FORMAT(x) __builtin_choose_expr(SAME(x, double), "%g\n", "%d\n")

static int classify(int x)
{
    if (unlikely(x < 0))
        return -1;
    if (likely(x > 10))
        return 1;
    switch (x & 3) {
    case 0: return 10;
    case 1: return 11;
    case 2: return 12;
    case 3: return 13;
    default: __builtin_unreachable();
    }
}

static long total(const int *p, int n)
{
    const int *q = __builtin_assume_aligned(p, 16);
    long s = 0;
    for (int i = 0; i < n; i++) {
        __builtin_prefetch(q + i, 0, 3);
        s += q[i];
    }
    return s;
}

int main(void)
{
    for (int i = -2; i < 15; i += 3)
        printf("%d ", classify(i));
    puts("");
    printf("%d %d\n", __builtin_constant_p(5 * 4), __builtin_constant_p("lit"[0]) >= 0);
    printf("%d %d %d %d\n", SAME(int, int), SAME(int, unsigned), SAME(int *, int[3]), SAME(const int, int));
    printf(FORMAT(2.5), 2.5);
    printf(FORMAT(7), 7);
    printf("%d\n", __builtin_choose_expr(sizeof(long) == 8, 64, "not an int"));
    int *p = aligned_alloc(16, 64 * sizeof *p);
    for (int i = 0; i < 64; i++)
        p[i] = i * i - 100;
    printf("%ld\n", total(p, 64));
    free(p);
    printf("%d %d\n", __builtin_abs(-4), (int)__builtin_strlen("builtin"));
    printf("%g %g %g\n", __builtin_fabs(-1.5), __builtin_sqrt(2.25), __builtin_copysign(3, -0.0));
    printf("%d %d %d\n", __builtin_isnan(0.0), __builtin_isinf_sign(-__builtin_inf()), __builtin_isnan(__builtin_nan("")) != 0);
    printf("%d\n", (int)__builtin_object_size("abc", 0) >= 0);
    char buf[16];
    __builtin_memset(buf, 'x', 15);
    __builtin_memcpy(buf + 3, "YYY", 3);
    buf[15] = 0;
    puts(buf);
    printf("%d %d\n", __builtin_offsetof(struct { char c; double d; }, d) == 8, __builtin_memcmp(buf, "xxxYYY", 6));
    printf("%d\n", __builtin_clz(1) + __builtin_ctz(8));
    return 0;
}
