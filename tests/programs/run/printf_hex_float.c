// printf %a and %A: exact hexadecimal floating output, with precision, and hex float constants.
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    double v[] = {0.0, -0.0, 1, -1, 0.5, 2, 3, 10, 0.1, 1e10, 1e-10, DBL_MAX, DBL_MIN, DBL_EPSILON, 5e-324, 1.0 / 3, 255.75};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        char b[64];
        snprintf(b, sizeof b, "%a", v[i]);
        double r = strtod(b, NULL);
        printf("%a %A back %d\n", v[i], v[i], r == v[i]);
    }
    printf("%.0a %.1a %.2a %.5a %.13a %.15a\n", 1.999, 1.999, 1.999, 1.999, 1.999, 1.999);
    printf("%.0a %.0a %.0a\n", 1.5, 2.5, 1.25);
    printf("%.1a %.1a %.1a\n", 0x1.08p0, 0x1.18p0, 0x1.f8p0);
    printf("[%20a] [%-20a] [%020a] [%+a] [% a] [%#.0a]\n", 1.5, 1.5, 1.5, 1.5, 1.5, 1.0);
    printf("%a %a %a\n", 0x1p-3, 0x.8p1, 0xAB.CDp+4);
    printf("%a %a\n", (double)0.1f, (double)FLT_MAX);
    printf("%a %a\n", (double)FLT_MIN, (double)1e-45f);
    double x = 1;
    for (int i = 0; i < 12; i++) {
        x = x / 3 + 0.1;
        printf("%a ", x);
    }
    puts("");
    return 0;
}
