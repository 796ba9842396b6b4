// IEEE rounding: addition order, denormals, float versus double, exact bit patterns.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }
static uint32_t fbits(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }

int main(void)
{
    volatile double tenth = 0.1, third = 1.0 / 3.0;
    volatile float ftenth = 0.1f;
    printf("%a %a %a\n", tenth + 0.2, tenth * 3, (double)ftenth * 3);
    printf("%d %d %d\n", tenth + 0.2 == 0.3, tenth * 3 == 0.3, third * 3 == 1.0);
    printf("%d\n", (double)ftenth == tenth);
    double big = 0x1p53;
    printf("%a %a %a\n", big + 1, big + 2, big + 3);
    printf("%a %a\n", (big + 1) + 1, big + (1.0 + 1.0));
    double s = 0, c = 0, k = 0;
    for (int i = 1; i <= 5000; i++) {
        double t = 1.0 / i;
        s += t;
        double y = t - c, z = k + y;      /* Kahan */
        c = (z - k) - y;
        k = z;
    }
    printf("%a %a\n", s, k);
    double r = 0;
    for (int i = 5000; i >= 1; i--)
        r += 1.0 / i;
    printf("%a %.17g\n", r, r);
    double d = DBL_MIN;
    int n = 0;
    while (d > 0) { d /= 2; n++; }
    printf("%d halvings\n", n);
    float f = FLT_MIN;
    for (n = 0; f > 0; n++)
        f *= 0.5f;
    printf("%d halvings\n", n);
    printf("%016llx %016llx\n", (unsigned long long)bits(5e-324 * 3), (unsigned long long)bits(DBL_MIN / 3));
    printf("%08x %08x %08x\n", fbits((float)1e-40), fbits(FLT_MAX), fbits((float)16777217.0));
    volatile double over = DBL_MAX;
    printf("%g %g %d\n", over * 2, -over - over, over + 1 == over);
    printf("%a %a\n", (double)(float)0.1, (double)(float)1.00000005960464478);
    float a = 1e8f, b = a + 4.0f, e = 16777216.0f;
    printf("%.1f %.1f %.1f\n", b, a + 5.0f, e + 1.0f);
    double x = 1;
    uint64_t h = 0;
    for (int i = 0; i < 500; i++) {
        x = x * 3.9 * (1 - x / 1.5) + (double)(float)x * 1e-9;
        h = h * 1099511628211ULL ^ bits(x);
    }
    printf("%016llx\n", (unsigned long long)h);
    return 0;
}
