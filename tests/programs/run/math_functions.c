// Transcendental functions of math.h printed with limited digits.
#include <math.h>
#include <stdio.h>

int main(void)
{
    double v[] = {-2.5, -1, -0.5, -1e-3, 0, 1e-3, 0.25, 0.5, 1, 1.5, 2, 3.14159, 10, 100};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        double x = v[i];
        printf("%g: sin %.12g cos %.12g tan %.10g atan %.12g exp %.12g\n", x, sin(x), cos(x), tan(x), atan(x), exp(x));
        printf("  sinh %.12g cosh %.12g tanh %.12g cbrt %.12g exp2 %.12g expm1 %.12g\n", sinh(x), cosh(x), tanh(x), cbrt(x), exp2(x), expm1(x));
        if (x > 0)
            printf("  log %.12g log2 %.12g log10 %.12g log1p %.12g sqrt %.15g\n", log(x), log2(x), log10(x), log1p(x), sqrt(x));
        if (fabs(x) <= 1)
            printf("  asin %.12g acos %.12g erf %.10g\n", asin(x), acos(x), erf(x));
        if (x > 0)
            printf("  tgamma %.10g lgamma %.10g\n", x < 20 ? tgamma(x) : 0.0, lgamma(x));
    }
    double p[][2] = {{2, 10}, {2, 0.5}, {-2, 3}, {-2, 2}, {10, -3}, {0.5, 100}, {1, 1e9}, {0, 0}, {7, 0}, {1.5, 2.5}};
    for (unsigned i = 0; i < sizeof p / sizeof *p; i++)
        printf("pow %.12g hypot %.12g atan2 %.12g fdim %g\n", pow(p[i][0], p[i][1]), hypot(p[i][0], p[i][1]), atan2(p[i][0], p[i][1]), fdim(p[i][0], p[i][1]));
    printf("%.6g %.6g %.6g %.6g\n", (double)sinf(1), (double)expf(1), (double)powf(2, 0.5f), (double)logf(10));
    printf("%.12g %.12g\n", atan2(1, -1), atan2(-1, -1));
    double s = 0;
    for (int i = 0; i < 200; i++)
        s += sin(i * 0.1) * cos(i * 0.05) + exp(-i * 0.01) - log(i + 1.0);
    printf("%.10g\n", s);
    return 0;
}
