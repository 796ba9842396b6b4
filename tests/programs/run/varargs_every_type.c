// va_arg of every promoted scalar type, beyond the six integer and eight floating registers.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static void many(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    long isum = 0;
    double dsum = 0;
    for (int i = 0; i < n; i++) {
        isum = isum * 3 + va_arg(ap, int);
        dsum = dsum * 0.5 + va_arg(ap, double);
    }
    va_end(ap);
    printf("%d pairs: %ld %.10f\n", n, isum, dsum);
}

static void kinds(int dummy, ...)
{
    va_list ap;
    va_start(ap, dummy);
    printf("%d\n", va_arg(ap, int));                 /* char promoted */
    printf("%d\n", va_arg(ap, int));                 /* short promoted */
    printf("%u\n", va_arg(ap, unsigned));
    printf("%ld\n", va_arg(ap, long));
    printf("%lu\n", va_arg(ap, unsigned long));
    printf("%lld\n", va_arg(ap, long long));
    printf("%llu\n", va_arg(ap, unsigned long long));
    printf("%s\n", va_arg(ap, char *));
    printf("%d\n", *va_arg(ap, int *));
    printf("%g\n", va_arg(ap, double));              /* float promoted */
    printf("%g\n", va_arg(ap, double));
    printf("%d\n", va_arg(ap, int));                 /* _Bool promoted */
    printf("%zu\n", va_arg(ap, size_t));
    printf("%td\n", va_arg(ap, ptrdiff_t));
    int (*fp)(const char *) = va_arg(ap, int (*)(const char *));
    fp("called through a variadic pointer");
    printf("%d\n", va_arg(ap, void *) == NULL);
    va_end(ap);
}

int main(void)
{
    int x = 77;
    char c = -5;
    short s = -300;
    float f = 1.25f;
    _Bool b = 1;
    kinds(0, c, s, 4000000000u, -9000000000L, 18000000000000000000UL, -1LL, ~0ULL, "text", &x, f,
          -2.5e-7, b, (size_t)123, (ptrdiff_t)-456, puts, (void *)0);
    many(0);
    many(3, 1, 1.0, 2, 2.0, 3, 3.0);
    many(12, 1, .1, 2, .2, 3, .3, 4, .4, 5, .5, 6, .6, 7, .7, 8, .8, 9, .9, 10, 1.0, 11, 1.1, 12, 1.2);
    return 0;
}
