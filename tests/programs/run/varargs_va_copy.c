// va_copy, va_list handed to other functions by value and by pointer.
#include <stdarg.h>
#include <stdio.h>

static int sum_from(int n, va_list ap)
{
    int s = 0;
    while (n-- > 0)
        s += va_arg(ap, int);
    return s;
}

static int next_int(va_list *ap)
{
    return va_arg(*ap, int);
}

static void twice(int n, ...)
{
    va_list a, b;
    va_start(a, n);
    int first = next_int(&a);
    va_copy(b, a);
    int s1 = sum_from(n - 1, a);
    int s2 = sum_from(n - 1, b);
    va_end(b);
    va_end(a);
    printf("n=%d first=%d rest=%d again=%d\n", n, first, s1, s2);
}

static int my_printf(const char *fmt, ...)
{
    char buf[128];
    va_list ap, bp;
    va_start(ap, fmt);
    va_copy(bp, ap);
    int need = vsnprintf(NULL, 0, fmt, ap);
    int got = vsnprintf(buf, sizeof buf, fmt, bp);
    va_end(bp);
    va_end(ap);
    printf("[%d %d] %s\n", need, got, buf);
    return got;
}

static double alternate(int n, ...)
{
    va_list ap;
    double r = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) {
        va_list peek;
        va_copy(peek, ap);
        r += va_arg(peek, double) * (i + 1);
        va_end(peek);
        (void)va_arg(ap, double);
    }
    va_end(ap);
    return r;
}

int main(void)
{
    twice(1, 42);
    twice(4, 1, 2, 3, 4);
    twice(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    my_printf("%d-%s-%c", 12, "abc", 'z');
    my_printf("%.3f %5d|%-5d| %x %lu %g %s", 3.14159, 42, 42, 255u, 1ul << 40, 1e100, "end");
    printf("%g\n", alternate(11, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.));
    return 0;
}
