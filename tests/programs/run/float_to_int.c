// Conversions between floating and integer types of all widths, in range, truncating toward zero.
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    double d[] = {0, -0.0, 0.99, -0.99, 1.5, -1.5, 126.999, -127.5, 100.0000001};
    for (unsigned i = 0; i < sizeof d / sizeof *d; i++) {
        float f = (float)d[i];
        printf("%d %d %d %lld | %d %d %d %lld\n", (int8_t)d[i], (int16_t)d[i], (int)d[i], (long long)d[i],
               (int8_t)f, (int16_t)f, (int)f, (long long)f);
        if (d[i] > -1)
            printf("  %u %u %u %llu | %u %llu\n", (uint8_t)d[i], (uint16_t)d[i], (unsigned)d[i],
                   (unsigned long long)d[i], (unsigned)f, (unsigned long long)f);
    }
    double e[] = {2147483647.0, -2147483648.0, 2147483647.9, -2147483648.9};
    for (int i = 0; i < 4; i++)
        printf("%d ", (int)e[i]);
    puts("");
    printf("%u %u\n", (unsigned)4294967295.0, (unsigned)3e9f);
    printf("%llu %llu %llu\n", (unsigned long long)0x1p63, (unsigned long long)1.8e19, (unsigned long long)0x1.fffffep63f);
    printf("%lld %lld\n", (long long)-0x1p63, (long long)9.2e18f);
    long long v[] = {0, 1, -1, 16777216, 16777217, 16777219, -16777217, (1LL << 53) + 1, (1LL << 53) + 3, (1LL << 62) + 1,
                     INT64_MAX, INT64_MIN, INT64_MIN + 1};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        printf("%a %a %a %a\n", (double)v[i], (double)(float)v[i], (double)(uint64_t)v[i], (double)(float)(uint64_t)v[i]);
    for (int i = -3; i < 4; i++)
        printf("%a %a %a ", (double)(int8_t)(i * 50), (double)(uint16_t)(i * 500), (double)(unsigned)i);
    puts("");
    uint64_t tie = 0x8000000000000400ULL;
    printf("%a %a %a\n", (double)tie, (double)(tie + 1), (double)(tie - 1));
    printf("%a %a\n", (double)(float)0x8000008000000000ULL, (double)(float)0x8000008000000001ULL);
    int s = 0;
    for (int i = 0; i < 2000; i++)
        s += (int)(i * 0.37 - 300.5) ^ (int)((float)i / 3.0f);
    printf("%d\n", s);
    return 0;
}
