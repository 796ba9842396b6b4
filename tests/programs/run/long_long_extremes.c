// Arithmetic at the limits of long long: conversions, printing, comparison, absolute values.
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static int digits(unsigned long long v) { int n = 1; while (v >= 10) { v /= 10; n++; } return n; }
static unsigned long long uabs(long long v) { return v < 0 ? 0 - (unsigned long long)v : (unsigned long long)v; }

static void rev(unsigned long long v)
{
    char b[72];
    int i = 0;
    do b[i++] = (char)('0' + (v & 1)); while (v >>= 1);
    while (i)
        putchar(b[--i]);
    putchar('\n');
}

int main(void)
{
    long long v[] = {LLONG_MIN, LLONG_MIN + 1, -4294967297LL, -4294967296LL, -2147483649LL, -1, 0, 1, 2147483648LL, 4294967295LL,
                     4294967296LL, 9007199254740993LL, LLONG_MAX - 1, LLONG_MAX};
    int n = sizeof v / sizeof *v;
    for (int i = 0; i < n; i++)
        printf("%lld %llu %llx %d %d %d %u\n", v[i], uabs(v[i]), (unsigned long long)v[i], digits(uabs(v[i])), (int)v[i], (short)v[i], (unsigned)v[i]);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            putchar(v[i] < v[j] ? '<' : v[i] > v[j] ? '>' : '=');
        putchar(' ');
        for (int j = 0; j < n; j++)
            putchar((unsigned long long)v[i] <= (unsigned long long)v[j] ? '1' : '0');
        puts("");
    }
    rev(ULLONG_MAX);
    rev(0x8000000000000001ULL);
    rev((unsigned long long)LLONG_MIN >> 1);
    printf("%lld %lld\n", LLONG_MAX / 2 + 1, LLONG_MIN / 2);
    printf("%" PRIdMAX " %" PRIuMAX "\n", INTMAX_MIN, UINTMAX_MAX);
    long long p = 1;
    for (int i = 0; i < 18; i++)
        p *= -10;
    printf("%lld %lld\n", p, p * 9);
    long long f = 1;
    for (int i = 2; i <= 20; i++)
        f *= i;
    printf("%lld %lld %lld\n", f, f % 1000000007, -f / 999999);
    printf("%.1f %.1f %.1f\n", (double)LLONG_MAX, (double)LLONG_MIN, (double)ULLONG_MAX);
    return 0;
}
