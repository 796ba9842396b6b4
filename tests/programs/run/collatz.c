// Collatz sequences with memoisation, and other iterated integer maps.
#include <stdint.h>
#include <stdio.h>

#define LIMIT 3000
static unsigned short memo[LIMIT];

static int steps(uint64_t n)
{
    if (n == 1)
        return 0;
    if (n < LIMIT && memo[n])
        return memo[n];
    int s = 1 + steps(n % 2 ? 3 * n + 1 : n / 2);
    if (n < LIMIT)
        memo[n] = (unsigned short)s;
    return s;
}

static int happy(int n)
{
    int seen = 0;
    while (n != 1 && seen++ < 50) {
        int t = 0;
        for (; n; n /= 10)
            t += n % 10 * (n % 10);
        n = t;
    }
    return n == 1;
}

static int digits_reverse_add(uint64_t n, uint64_t *end)
{
    for (int k = 0; k < 30; k++) {
        uint64_t r = 0;
        for (uint64_t t = n; t; t /= 10)
            r = r * 10 + t % 10;
        if (r == n) {
            *end = n;
            return k;
        }
        n += r;
    }
    return -1;
}

int main(void)
{
    int best = 0, at = 0;
    long sum = 0;
    for (int i = 1; i < LIMIT; i++) {
        int s = steps((uint64_t)i);
        sum += s;
        if (s > best) {
            best = s;
            at = i;
        }
    }
    printf("longest %d at %d, sum %ld\n", best, at, sum);
    uint64_t n = 27, peak = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n >> 1;
        if (n > peak)
            peak = n;
    }
    printf("peak %llu\n", (unsigned long long)peak);
    int c = 0;
    for (int i = 1; i <= 200; i++)
        c += happy(i);
    printf("happy %d\n", c);
    for (int i = 87; i < 91; i++) {
        uint64_t e = 0;
        int k = digits_reverse_add((uint64_t)i, &e);
        printf("%d: %d %llu\n", i, k, (unsigned long long)e);
    }
    for (int k = 100; k < 1000; k++) {
        int a = k / 100, b = k / 10 % 10, d = k % 10;
        if (a * a * a + b * b * b + d * d * d == k)
            printf("%d ", k);
    }
    puts("");
    return 0;
}
