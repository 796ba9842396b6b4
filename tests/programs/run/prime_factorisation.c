// Factorisation by trial division and Pollard rho with 128-bit modular multiplication.
#include <stdint.h>
#include <stdio.h>

static uint64_t mulmod(uint64_t a, uint64_t b, uint64_t m) { return (uint64_t)((unsigned __int128)a * b % m); }
static uint64_t powmod(uint64_t b, uint64_t e, uint64_t m)
{
    uint64_t r = 1;
    for (b %= m; e; e >>= 1, b = mulmod(b, b, m))
        if (e & 1)
            r = mulmod(r, b, m);
    return r;
}
static uint64_t gcd(uint64_t a, uint64_t b) { while (b) { uint64_t t = a % b; a = b; b = t; } return a; }

static int prime(uint64_t n)
{
    static const unsigned w[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    if (n < 2) return 0;
    for (int i = 0; i < 12; i++)
        if (n % w[i] == 0) return n == w[i];
    uint64_t d = n - 1;
    int s = __builtin_ctzll(d);
    d >>= s;
    for (int i = 0; i < 12; i++) {
        uint64_t x = powmod(w[i], d, n);
        int r = 0;
        while (x != 1 && x != n - 1 && ++r < s) x = mulmod(x, x, n);
        if (x != n - 1 && !(x == 1 && r == 0)) return 0;
    }
    return 1;
}

static uint64_t rho(uint64_t n)
{
    for (uint64_t c = 1;; c++) {
        uint64_t x = 2, y = 2, d = 1;
        while (d == 1) {
            x = (mulmod(x, x, n) + c) % n;
            y = (mulmod(y, y, n) + c) % n;
            y = (mulmod(y, y, n) + c) % n;
            d = gcd(x > y ? x - y : y - x, n);
        }
        if (d != n) return d;
    }
}

static void factor(uint64_t n)
{
    if (n < 2) return;
    if (prime(n)) { printf(" %llu", (unsigned long long)n); return; }
    for (unsigned p = 2; p < 100; p++)
        if (n % p == 0) { printf(" %u", p); factor(n / p); return; }
    uint64_t d = rho(n), e = n / d;
    factor(d < e ? d : e);
    factor(d < e ? e : d);
}

int main(void)
{
    uint64_t t[] = {1, 2, 97, 360, 1001, 65536, 999999, 1000000007, 600851475143ULL, 4294967297ULL, 18446744073709551615ULL,
                    18446744073709551557ULL, 10403ULL * 10007, 3215031751ULL, 1000003ULL * 1000033};
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
        printf("%llu:", (unsigned long long)t[i]);
        factor(t[i]);
        puts("");
    }
    int n = 0;
    for (uint64_t v = 0; v < 300; v++) n += prime(v);
    printf("%d\n", n);
    return 0;
}
