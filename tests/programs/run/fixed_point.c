// Fixed-point arithmetic Q16.16: multiplication, division, square root, sine table, rounding.
#include <stdint.h>
#include <stdio.h>

typedef int32_t fx;
#define ONE 65536
#define FX(x) ((fx)((x) * ONE + ((x) >= 0 ? 0.5 : -0.5)))

static fx mul(fx a, fx b) { return (fx)(((int64_t)a * b + (1 << 15)) >> 16); }
static fx fdiv(fx a, fx b) { return (fx)((int64_t)a * ONE / b); }
static fx fsqrt(fx a)
{
    uint64_t v = (uint64_t)a << 16, r = 0, bit = 1ULL << 46;
    while (bit > v) bit >>= 2;
    for (; bit; bit >>= 2)
        if (v >= r + bit) { v -= r + bit; r = (r >> 1) + bit; }
        else r >>= 1;
    return (fx)r;
}
static fx fsin(fx a)      /* Bhaskara's approximation, a in radians */
{
    const fx pi = FX(3.14159265), two_pi = FX(6.28318531);
    int neg = 0;
    while (a < 0) a += two_pi;
    while (a >= two_pi) a -= two_pi;
    if (a > pi) { a -= pi; neg = 1; }
    fx t = mul(a, pi - a), r = fdiv(t * 4, FX(12.337) - t);
    return neg ? -r : r;
}
static void show(const char *n, fx v)
{
    uint32_t u = v < 0 ? 0u - (uint32_t)v : (uint32_t)v;
    printf("%s %s%u.%05u (%08x)\n", n, v < 0 ? "-" : "", u >> 16, (unsigned)(((uint64_t)(u & 0xffff) * 100000 + 32768) >> 16) % 100000, (uint32_t)v);
}

int main(void)
{
    show("one", ONE);
    show("third", fdiv(ONE, 3 * ONE));
    show("neg", FX(-2.75));
    show("mul", mul(FX(1.5), FX(-2.25)));
    show("div", fdiv(FX(10), FX(-4)));
    show("tiny", mul(1, ONE / 2));
    for (int i = 0; i <= 10; i += 2)
        show("sqrt", fsqrt(i * ONE));
    for (int i = -4; i <= 4; i++)
        show("sin", fsin(i * ONE));
    fx x = FX(0.3);
    uint32_t h = 0;
    for (int i = 0; i < 400; i++) {
        x = mul(mul(FX(3.7), x), ONE - x);
        h = h * 31 + (uint32_t)x;
    }
    show("logistic", x);
    printf("%08x\n", h);
    fx sum = 0;
    for (int i = 1; i < 200; i++)
        sum += fdiv(ONE, ONE * (i % 50 + 1));
    show("sum", sum);
    return 0;
}
