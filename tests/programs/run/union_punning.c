// Reading a union member other than the one written; unions of several sizes.
#include <stdint.h>
#include <stdio.h>

union num { uint32_t u; int32_t i; float f; uint8_t b[4]; uint16_t h[2]; };
union dbl { double d; uint64_t u; struct { uint32_t lo, hi; } w; struct { uint64_t frac : 52, exp : 11, sign : 1; } p; };
union mixed { char c; short s; int i; long l; char pad[20]; };

static float fast_inv_sqrt(float x)
{
    union num n = {.f = x};
    n.u = 0x5f3759dfu - (n.u >> 1);
    float y = n.f;
    for (int i = 0; i < 2; i++)
        y *= 1.5f - 0.5f * x * y * y;
    return y;
}

static union num make(float f) { union num n; n.f = f; return n; }

int main(void)
{
    union num n;
    n.u = 0x3f800000;
    printf("%g\n", n.f);
    n.i = -2;
    printf("%08x %02x %02x %04x\n", n.u, n.b[0], n.b[3], n.h[1]);
    n.b[2] = 0x12;
    n.h[0] ^= 0xff00;
    printf("%08x\n", n.u);
    double t[] = {1, -2, 0.1, 1e300, -0.0, 5e-324};
    for (int i = 0; i < 6; i++) {
        union dbl d = {t[i]};
        printf("%g: %016llx %08x %08x sign %u exp %u frac %llx\n", d.d, (unsigned long long)d.u, d.w.hi, d.w.lo,
               (unsigned)d.p.sign, (unsigned)d.p.exp, (unsigned long long)d.p.frac);
    }
    union dbl e = {1.0};
    e.p.exp += 3;
    e.p.sign = 1;
    e.w.lo |= 1;
    printf("%.17g\n", e.d);
    union mixed m = {.l = 0x1122334455667788L};
    printf("%x %x %x %zu\n", m.c, m.s, m.i, sizeof m);
    m.c = 0x7f;
    printf("%lx\n", m.l);
    printf("%.4f %.4f\n", fast_inv_sqrt(4), fast_inv_sqrt(0.01f));
    printf("%08x\n", make(-1.5f).u);
    union num copy = make(3), *p = &copy;
    p->u++;
    printf("%.9g %d\n", p->f, copy.f > 3);
    return 0;
}
