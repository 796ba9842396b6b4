// Newton, bisection, Simpson, Runge-Kutta and Gauss-Seidel in double, printed to 10 digits.
#include <math.h>
#include <stdio.h>

typedef double (*fn)(double);
static double f1(double x) { return x * x * x - 2 * x - 5; }
static double d1(double x) { return 3 * x * x - 2; }
static double f2(double x) { return x * x - 2; }
static double g1(double x) { return 1 / (1 + x * x); }
static double g2(double x) { return x * x * x * x - 3 * x; }

static double newton(fn f, fn d, double x, int *it)
{
    for (*it = 0; *it < 50 && fabs(f(x)) > 1e-13; ++*it)
        x -= f(x) / d(x);
    return x;
}
static double bisect(fn f, double a, double b, int *it)
{
    for (*it = 0; b - a > 1e-12; ++*it) {
        double m = (a + b) / 2;
        if ((f(a) < 0) == (f(m) < 0)) a = m; else b = m;
    }
    return (a + b) / 2;
}
static double simpson(fn f, double a, double b, int n)
{
    double h = (b - a) / n, s = f(a) + f(b);
    for (int i = 1; i < n; i++)
        s += f(a + i * h) * (i & 1 ? 4 : 2);
    return s * h / 3;
}
static void oscillator(double t, const double y[2], double out[2]) { (void)t; out[0] = y[1]; out[1] = -y[0]; }
static void rk4(void (*f)(double, const double *, double *), double *y, double t, double h)
{
    double k[4][2], z[2];
    f(t, y, k[0]);
    for (int s = 1; s < 4; s++) {
        double c = s == 3 ? h : h / 2;
        for (int i = 0; i < 2; i++) z[i] = y[i] + c * k[s - 1][i];
        f(t + c, z, k[s]);
    }
    for (int i = 0; i < 2; i++)
        y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

int main(void)
{
    int it;
    double r = newton(f1, d1, 2, &it);
    printf("newton %.10f (%d)\n", r, it);
    r = bisect(f2, 0, 2, &it);
    printf("bisect %.10f (%d)\n", r, it);
    for (int n = 2; n <= 128; n *= 4)
        printf("simpson %.10f %.10f\n", 4 * simpson(g1, 0, 1, n), simpson(g2, -1, 2, n));
    double y[2] = {1, 0};
    for (int i = 0; i < 628; i++)
        rk4(oscillator, y, i * 0.01, 0.01);
    printf("rk4 %.10f %.10f\n", y[0], y[1]);
    double a[4][5] = {{10, -1, 2, 0, 6}, {-1, 11, -1, 3, 25}, {2, -1, 10, -1, -11}, {0, 3, -1, 8, 15}}, x[4] = {0};
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < 4; i++) {
            double s = a[i][4];
            for (int j = 0; j < 4; j++) if (j != i) s -= a[i][j] * x[j];
            x[i] = s / a[i][i];
        }
    printf("seidel %.8f %.8f %.8f %.8f\n", x[0], x[1], x[2], x[3]);
    double e = 1, term = 1;
    for (int i = 1; i < 20; i++) { term /= i; e += term; }
    printf("e %.15g %a\n", e, e);
    return 0;
}
