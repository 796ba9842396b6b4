// Exactly specified math functions, printed as %a: sqrt, floor, ceil, trunc, round, rint, fmod, remainder, ldexp, frexp, modf.
#include <math.h>
#include <stdio.h>

int main(void)
{
    double v[] = {0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999999999999994, 1e15 + 0.5, -3.7, 3.2, 1e300, -1e-300, 4503599627370497.5, INFINITY};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        double x = v[i];
        printf("%a: %a %a %a %a %a %a\n", x, floor(x), ceil(x), trunc(x), round(x), rint(x), nearbyint(x));
        if (isfinite(x)) {
            int e;
            double ip, m = frexp(x, &e), f = modf(x, &ip);
            printf("   frexp %a %d modf %a %a fabs %a\n", m, e, f, ip, fabs(x));
            if (fabs(x) < 1e18)
                printf("   lround %ld lrint %ld llround %lld\n", lround(x), lrint(x), llround(x));
        }
    }
    for (int i = 0; i < 12; i++)
        printf("%a ", sqrt(i * 1.1));
    puts("");
    printf("%a %a %a\n", sqrt(1e-310), sqrt(INFINITY), sqrt(-0.0));
    double q[][2] = {{5.5, 2}, {-5.5, 2}, {5.5, -2}, {1e300, 3}, {0.1, 0.01}, {7, 7}, {-0.0, 1}, {1e-320, 1e-322}, {3, INFINITY}};
    for (unsigned i = 0; i < sizeof q / sizeof *q; i++)
        printf("fmod %a remainder %a copysign %a\n", fmod(q[i][0], q[i][1]), remainder(q[i][0], q[i][1]), copysign(q[i][0], q[i][1]));
    printf("%a %a %a %a\n", ldexp(1.5, 10), ldexp(1, -1074), ldexp(3, -1075), ldexp(1, 2000));
    printf("%a %a %a\n", scalbn(0.75, 4), logb(1000), logb(0.001));
    printf("%d %d\n", ilogb(1000), ilogb(0.001));
    printf("%a %a %a\n", nextafter(1, 2), nextafter(1, 0), nextafter(0, 1));
    printf("%a %a\n", fma(0x1.0000001p0, 0x1.0000001p0, -1.0), fma(3, 4, 5));
    printf("%a %a %a\n", fmax(1, 2), fmin(-1, 1), fdim(5, 3));
    printf("%a %a %a %a\n", (double)sqrtf(2), (double)floorf(-1.5f), (double)fmodf(5.3f, 2), (double)roundf(2.5f));
    printf("%a %a\n", (double)ceilf(0.1f), (double)truncf(-9.9f));
    return 0;
}
