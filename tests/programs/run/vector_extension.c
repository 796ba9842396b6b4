// GNU vector types: arithmetic, comparison, shuffles, conversion, element access, through functions.
#include <stdio.h>
#include <string.h>

typedef int v4i __attribute__((vector_size(16)));
typedef unsigned v4u __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
typedef short v8s __attribute__((vector_size(16)));
typedef unsigned char v16b __attribute__((vector_size(16)));

static void pi(const char *t, v4i v) { printf("%s %d %d %d %d\n", t, v[0], v[1], v[2], v[3]); }
static void pf(const char *t, v4f v) { printf("%s %g %g %g %g\n", t, v[0], v[1], v[2], v[3]); }
static v4i madd(v4i a, v4i b, v4i c) { return a * b + c; }

int main(void)
{
    v4i a = {1, -2, 3, 40}, b = {10, 20, -30, 7};
    pi("add", a + b);
    pi("sub", a - b);
    pi("mul", madd(a, b, a));
    pi("div", b / a);
    pi("mod", b % a);
    pi("and", a & b);
    pi("xor", a ^ ~b);
    pi("shl", a << 3);
    pi("shr", b >> 2);
    pi("lt", a < b);
    pi("eq", a == (v4i){1, 2, 3, 4});
    pi("neg", -a);
    pi("scalar", a * 5 - 1);
    v4u u = (v4u)a >> 28;
    printf("%u %u\n", u[0], u[1]);
    v4f f = {1.5f, -2, 0.25f, 8}, g = {2, 4, 8, 16};
    pf("fadd", f + g);
    pf("fmul", f * g);
    pf("fdiv", f / g);
    pi("fcmp", f < g - 10);
    pi("conv", __builtin_convertvector(f, v4i));
    pf("conv", __builtin_convertvector(a, v4f));
    v2d d = {0.1, 0.2};
    d += d * 2;
    printf("%.17g %.17g\n", d[0], d[1]);
    a[2] = 99;
    for (int i = 0; i < 4; i++)
        b[i] += a[3 - i];
    pi("elem", b);
    v8s s = {1, 2, 3, 4, 5, 6, 7, 8};
    s = s * s;
    int t = 0;
    for (int i = 0; i < 8; i++)
        t = t * 3 + s[i];
    printf("%d\n", t);
    v16b c;
    memset(&c, 200, sizeof c);
    c += 100;
    printf("%d %zu\n", c[15], sizeof c);
    unsigned h = 0;
    v4u x = {1, 2, 3, 4};
    for (int i = 0; i < 100; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        h = h * 31 + x[i & 3];
    }
    printf("%u\n", h);
    return 0;
}
