// Complex arithmetic in float and double: operators, conversion, parameters and returns.
#include <complex.h>
#include <stdio.h>

static double complex horner(const double complex *c, int n, double complex z)
{
    double complex r = 0;
    while (n--)
        r = r * z + c[n];
    return r;
}
static float complex fsq(float complex z) { return z * z; }
static void show(const char *t, double complex z) { printf("%s %.12g %+.12gi\n", t, creal(z), cimag(z)); }

struct cs { int tag; double complex z; float complex f; };
static struct cs twist(struct cs s) { s.z *= I; s.f *= 2; s.tag++; return s; }

int main(void)
{
    double complex a = 3 + 4 * I, b = 1 - 2 * I;
    show("add", a + b);
    show("sub", a - b);
    show("mul", a * b);
    show("div", a / b);
    show("neg", -a);
    show("conj", conj(a));
    show("real scale", a * 2.5);
    show("real div", a / 2);
    show("div by", 10 / a);
    printf("%d %d %d\n", a == b, a != b, a == 3 + 4 * I);
    float complex f = fsq(1.5f + 0.5f * I);
    printf("%.8g %.8g\n", crealf(f), cimagf(f));
    show("mixed", f + a);
    double complex c[] = {1, -2, 3 * I, 0.5 + I};
    show("poly", horner(c, 4, 0.25 - 0.75 * I));
    double complex z = 1, w = 0.8 + 0.6 * I;
    for (int i = 0; i < 100; i++) {
        z *= w;
        z += 0.001 * I;
    }
    show("power", z);
    __real__ z = 7;
    __imag__ z -= 1;
    show("parts", z);
    struct cs s = twist((struct cs){1, 2 + 3 * I, 4 - 5 * I});
    show("struct z", s.z);
    show("struct f", s.f);
    printf("%d %zu %zu\n", s.tag, sizeof(double complex), sizeof(float complex));
    int escapes = 0;
    for (int y = -10; y <= 10; y++)
        for (int x = -20; x <= 10; x++) {
            double complex q = 0, p = x / 10.0 + y / 10.0 * I;
            int n = 0;
            while (n < 30 && creal(q) * creal(q) + cimag(q) * cimag(q) < 4) {
                q = q * q + p;
                n++;
            }
            escapes += n;
        }
    printf("mandelbrot %d\n", escapes);
    double complex cast = (double complex)5, fromi = 2 * I;
    printf("%g %g %g\n", cimag(cast), (double)fromi, creal(fromi * fromi));
    return (_Bool)fromi;
}
