// printf %g, %e, %f with flags, widths and precisions; rounding of halves; infinities.
#include <math.h>
#include <stdio.h>

int main(void)
{
    double v[] = {0, -0.0, 1, -1, 0.1, 1.0 / 3, 2.0 / 3, 100, 123456, 1234567, 12345678.9, 1e-4, 1e-5, 9.9999995, 0.000123456789,
                  1e15, 1e16, 1e17, 1e100, 1e-100, 1.7976931348623157e308, 5e-324, 2.2250738585072014e-308, 0.5, 1.5, 2.5, 99.95, 999999.5};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        printf("%g %G %e %.3g %.10g %.17g %#g\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    for (unsigned i = 0; i < 16; i++)
        printf("%f %.0f %.1f %.12f %#.0f\n", v[i], v[i], v[i], v[i], v[i]);
    printf("%.0f %.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 3.5, -0.5);
    printf("%.1f %.1f %.2f %.2f\n", 0.25, 0.35, 1.005, 2.675);
    printf("[%10.3f] [%-10.3f] [%010.3f] [%+.2f] [% .2f] [%+010.1f]\n", 3.14159, 3.14159, -3.14159, 2.0, 2.0, 2.0);
    printf("[%12.4e] [%-12.1E] [%.0e] [%#.0e]\n", 12345.678, 0.00012, 5.5, 5.5);
    printf("%f %g %e %F %5.1f|%-6g|%06g\n", INFINITY, -INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY);
    double nan = fabs(NAN);
    printf("%f %g %E [%6f]\n", nan, nan, nan, nan);
    printf("%.30f\n", 0.1);
    printf("%.25g\n", 1.0 / 7);
    printf("%.0f\n", 1e22);
    printf("%f\n", 1e23);
    printf("%.3f\n", 123456789012345678.0);
    printf("%.*f %*.*g\n", 2, 1.23456, 10, 4, 98765.4321);
    printf("%g %g\n", (double)1.1f, (double)16777217.0f);
    printf("%.60g\n", 5e-324);
    return 0;
}
