// Division and remainder of negative numbers in all widths, by constants and by variables.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int a[] = {7, -7, 8, -8, 1, -1, 0, INT_MAX, INT_MIN, 100, -100, 65537, -65537};
    int b[] = {1, 2, -2, 3, -3, 7, -7, 10, 16, -16, INT_MAX, INT_MIN, 1000003};
    unsigned h = 0;
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 13; j++) {
            int q = a[i] / b[j], r = a[i] % b[j];
            if ((long)q * b[j] + r != a[i] || (r && (r < 0) != (a[i] < 0)))
                puts("wrong");
            h = h * 37 + (unsigned)q * 5 + (unsigned)r;
            unsigned uq = (unsigned)a[i] / (unsigned)b[j], ur = (unsigned)a[i] % (unsigned)b[j];
            h = h * 41 + uq + ur * 3;
        }
    printf("%u\n", h);
    for (int i = 0; i < 13; i++)
        printf("%d %d %d %d %d %d %d %d\n", a[i] / 2, a[i] % 2, a[i] / 8, a[i] % 8, a[i] / -5, a[i] % -5, a[i] / 10, a[i] % 1000);
    long long L[] = {LLONG_MIN, LLONG_MAX, -1, 123456789012345LL, -123456789012345LL};
    for (int i = 0; i < 5; i++)
        printf("%lld %lld %lld %lld %llu %llu\n", L[i] / 3, L[i] % 3, L[i] / 1000000007, L[i] % -1000000007,
               (unsigned long long)L[i] / 3, (unsigned long long)L[i] % 10);
    for (int i = -9; i <= 9; i += 3) {
        int8_t x = (int8_t)(i * 14);
        int16_t y = (int16_t)(i * 3640);
        printf("%d %d %d %d ", x / 4, x % 4, y / 100, y % 100);
    }
    puts("");
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(17, -5);
    lldiv_t ll = lldiv(-1000000000000LL, 7);
    printf("%d %d %ld %ld %lld %lld\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem);
    int x = -100;
    x /= 7;
    x %= 5;
    printf("%d %d %ld\n", x, abs(-5), labs(-6L));
    /* floor and ceiling division built from truncation */
    for (int n = -7; n <= 7; n += 2) {
        int q = n / 3, r = n % 3;
        printf("%d,%d ", q - (r < 0), q + (r > 0));
    }
    puts("");
    return 0;
}
