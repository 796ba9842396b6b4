// strtol, strtoul, strtoll in all bases, end pointers, overflow and errno.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void t(const char *s, int base)
{
    char *e;
    errno = 0;
    long v = strtol(s, &e, base);
    printf("strtol('%s',%d)=%ld rest '%s' errno %d", s, base, v, e, errno);
    errno = 0;
    unsigned long u = strtoul(s, &e, base);
    printf(" ul %lu errno %d\n", u, errno);
}

int main(void)
{
    t("123", 10); t("  -42xyz", 10); t("+7", 10); t("", 10); t("   ", 10); t("abc", 10); t("--5", 10);
    t("0x1F", 16); t("0x1F", 0); t("1f", 16); t("0x", 16); t("0xg", 0); t("017", 0); t("017", 8); t("08", 0); t("0", 0);
    t("1010102", 2); t("zz", 36); t("ZZtop", 36); t("777", 7); t("12", 3);
    t("9223372036854775807", 10); t("9223372036854775808", 10); t("-9223372036854775808", 10); t("-9223372036854775809", 10);
    t("18446744073709551615", 10); t("18446744073709551616", 10); t("-1", 10); t("ffffffffffffffff", 16);
    t("99999999999999999999999999", 10); t("-99999999999999999999999", 10);
    for (int b = 2; b <= 36; b++) {
        char *e;
        long v = strtol("1021", &e, b);
        printf("%ld%s ", v, *e ? "*" : "");
    }
    puts("");
    printf("%d %ld %lld %d\n", atoi("  55 apples"), atol("-123456789012"), atoll("9000000000000000000"), atoi("none"));
    printf("%lld %llu\n", strtoll("-0x7fffffffffffffff", NULL, 16), strtoull("0777777777777777777777", NULL, 8));
    errno = 0;
    printf("%d %d\n", strtoll("1e5", NULL, 10) == 1, errno);
    return 0;
}
