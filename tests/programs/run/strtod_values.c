// strtod and atof: decimal, exponent, hexadecimal, special values, halfway cases, end pointers.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void t(const char *s)
{
    char *e;
    errno = 0;
    double d = strtod(s, &e);
    if (isnan(d))
        printf("'%s' nan rest '%s' errno %d\n", s, e, errno);
    else
        printf("'%s' %a %.17g rest '%s' errno %d\n", s, d, d, e, errno);
}

int main(void)
{
    t("0"); t("-0"); t("1"); t("  +1.5abc"); t(".5"); t("5."); t("."); t("-"); t(""); t("e5"); t("1e"); t("1e+"); t("1e5"); t("1E-5x");
    t("0x1.8p1"); t("0x.1"); t("0x"); t("0xAp-2"); t("inf"); t("-INFINITY"); t("infx"); t("nan"); t("NaN(12)z");
    t("1e308"); t("1e309"); t("-1e400"); t("4.9e-324"); t("2e-324"); t("1e-400");
    t("0.1"); t("0.2"); t("0.30000000000000004"); t("123456789012345678901234567890");
    t("9007199254740993"); t("9007199254740992.99999"); t("9007199254740993.00000000000000000000001");
    t("1.7976931348623157e308"); t("1.7976931348623159e308"); t("2.2250738585072011e-308"); t("2.2250738585072014e-308");
    t("179769313486231580793e289"); t("0.000000000000000000000000000000000000001"); t("1e23"); t("8.5e22"); t("1.0000000000000002220446049250313");
    printf("%g %g %g\n", atof("2.5kg"), atof("junk"), atof("-1e3"));
    printf("%a %a\n", (double)strtof("0.1", NULL), (double)strtof("16777217", NULL));
    double s = 0;
    char b[32];
    for (int i = 0; i < 200; i++) {
        snprintf(b, sizeof b, "%.17g", i / 7.0);
        s += strtod(b, NULL) == i / 7.0;
        snprintf(b, sizeof b, "%.6e", i * 1e-3);
        s += strtod(b, NULL) / 16;
    }
    printf("%.12g\n", s);
    return 0;
}
