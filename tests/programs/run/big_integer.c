// Arbitrary-precision naturals in base 10^9: factorial, Fibonacci, powers, division by small.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LIMBS 40
#define BASE 1000000000u
typedef struct { int n; uint32_t d[LIMBS]; } big;

static big from(uint32_t v) { big b = {1, {v % BASE}}; if (v >= BASE) { b.d[1] = v / BASE; b.n = 2; } return b; }

static big add(const big *a, const big *b)
{
    big r = {0};
    uint32_t c = 0;
    int n = a->n > b->n ? a->n : b->n;
    for (int i = 0; i < n || c; i++) {
        uint32_t s = a->d[i] + b->d[i] + c;
        c = s >= BASE;
        r.d[i] = c ? s - BASE : s;
        r.n = i + 1;
    }
    return r;
}

static big mul(const big *a, const big *b)
{
    big r = {0};
    for (int i = 0; i < a->n; i++) {
        uint64_t c = 0;
        for (int j = 0; j < b->n || c; j++) {
            uint64_t t = r.d[i + j] + c + (uint64_t)a->d[i] * b->d[j];
            r.d[i + j] = (uint32_t)(t % BASE);
            c = t / BASE;
        }
    }
    r.n = a->n + b->n;
    while (r.n > 1 && !r.d[r.n - 1])
        r.n--;
    return r;
}

static uint32_t divsmall(big *a, uint32_t v)
{
    uint64_t rem = 0;
    for (int i = a->n - 1; i >= 0; i--) {
        uint64_t t = rem * BASE + a->d[i];
        a->d[i] = (uint32_t)(t / v);
        rem = t % v;
    }
    while (a->n > 1 && !a->d[a->n - 1])
        a->n--;
    return (uint32_t)rem;
}

static void print(const char *t, const big *a)
{
    printf("%s %u", t, a->d[a->n - 1]);
    for (int i = a->n - 2; i >= 0; i--)
        printf("%09u", a->d[i]);
    puts("");
}

int main(void)
{
    big f = from(1);
    for (uint32_t i = 2; i <= 60; i++) { big k = from(i); f = mul(&f, &k); }
    print("60!", &f);
    big a = from(0), b = from(1);
    for (int i = 0; i < 300; i++) { big c = add(&a, &b); a = b; b = c; }
    print("fib(300)", &a);
    big p = from(1), base = from(4000000007u);
    for (unsigned e = 13; e; e >>= 1) { if (e & 1) p = mul(&p, &base); base = mul(&base, &base); }
    print("4000000007^13", &p);
    printf("mod 97: %u\n", divsmall(&p, 97));
    print("quotient", &p);
    for (uint32_t i = 60; i >= 2; i--)
        if (divsmall(&f, i)) puts("remainder!");
    print("back to", &f);
    return 0;
}
