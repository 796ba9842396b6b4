// Comparisons with NaN, infinities and signed zeros, in every relational form.
#include <math.h>
#include <stdio.h>

static int rel(double a, double b)
{
    return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5
         | !(a < b) << 6 | !(a >= b) << 7;
}
static int relf(float a, float b)
{
    int r = 0;
    if (a < b) r |= 1;
    if (a <= b) r |= 2;
    if (a > b) r |= 4;
    if (a >= b) r |= 8;
    if (a == b) r |= 16;
    if (a != b) r |= 32;
    if (!(a > b)) r |= 64;
    return r;
}
static int cls(double a, double b)
{
    return isless(a, b) | islessequal(a, b) << 1 | isgreater(a, b) << 2 | isgreaterequal(a, b) << 3
         | islessgreater(a, b) << 4 | isunordered(a, b) << 5;
}

int main(void)
{
    double zero = 0.0, nan = NAN, inf = 1.0 / zero;
    double v[] = {nan, -inf, -1.5, -0.0, 0.0, 5e-324, 1.5, inf};
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            printf("%3d/%2d/%3d ", rel(v[i], v[j]), cls(v[i], v[j]), relf((float)v[i], (float)v[j]));
        puts("");
    }
    for (int i = 0; i < 8; i++)
        printf("%d%d%d%d%d ", !!isnan(v[i]), !!isinf(v[i]), !!isfinite(v[i]), !!isnormal(v[i]), !!signbit(v[i]) && i);
    puts("");
    printf("%d %d\n", nan == nan, nan != nan);
    printf("%g %g %g %g\n", fmin(nan, 1), fmax(2, nan), fmin(-0.0, inf), fmax(-inf, 3));
    printf("%d %d\n", nan ? 1 : 0, !nan);
    printf("%g %g\n", 1 / zero, 1 / -zero);
    int n = 0;
    while (!(nan >= n) && n < 5)
        n++;
    printf("%d\n", n);
    printf("%d %d\n", isnan(inf - inf) != 0, isnan(zero * inf) != 0);
    return 0;
}
