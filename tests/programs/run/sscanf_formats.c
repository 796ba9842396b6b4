// sscanf conversions: integers in several bases, floats, strings, sets, widths, suppression, %n.
#include <stdio.h>

int main(void)
{
    int i, j, k, n;
    unsigned u, x, o;
    long l;
    long long ll;
    short h;
    signed char hh;
    float f;
    double d;
    char s[32], t[32], c, cc[4];
    n = sscanf("12 -34 +56", "%d %d %d", &i, &j, &k);
    printf("%d: %d %d %d\n", n, i, j, k);
    n = sscanf("0x1f 017 0x1F 99", "%i %i %x %u", &i, &j, &x, &u);
    printf("%d: %d %d %u %u\n", n, i, j, x, u);
    n = sscanf("777 123456789012 -9000000000000000000", "%o %ld %lld", &o, &l, &ll);
    printf("%d: %u %ld %lld\n", n, o, l, ll);
    n = sscanf("-300 -7", "%hd %hhd", &h, &hh);
    printf("%d: %d %d\n", n, h, hh);
    n = sscanf("3.5 -1e-3", "%f %lf", &f, &d);
    printf("%d: %g %g\n", n, f, d);
    n = sscanf("  word another", "%s%c%31s", s, &c, t);
    printf("%d: %s [%c] %s\n", n, s, c, t);
    n = sscanf("123456789", "%3d%2d%d", &i, &j, &k);
    printf("%d: %d %d %d\n", n, i, j, k);
    n = sscanf("abc123def", "%[a-z]%d%s", s, &i, t);
    printf("%d: %s %d %s\n", n, s, i, t);
    n = sscanf("key = some value here; rest", "%[^ =] = %[^;]", s, t);
    printf("%d: '%s' '%s'\n", n, s, t);
    n = sscanf("10,20,30", "%d,%*d,%d", &i, &j);
    printf("%d: %d %d\n", n, i, j);
    n = sscanf("wxyz", "%4c", cc);
    printf("%d: %.4s\n", n, cc);
    int pos = -1;
    n = sscanf("42abc", "%d%n", &i, &pos);
    printf("%d: %d at %d\n", n, i, pos);
    n = sscanf("abc", "%d", &i);
    printf("%d\n", n);
    n = sscanf("", "%d", &i);
    printf("%d\n", n);
    n = sscanf("50% of 8", "%d%% of %d", &i, &j);
    printf("%d: %d %d\n", n, i, j);
    n = sscanf("1 2 x 4", "%d %d %d %d", &i, &j, &k, &i);
    printf("%d: %d %d\n", n, i, j);
    n = sscanf("2024-03-09T11:22", "%4d-%2d-%2dT%d:%d", &i, &j, &k, &n, &pos);
    printf("%d %d %d %d\n", i, j, k, pos);
    n = sscanf("a]b-c", "%[]a]%[b-]%c", s, t, &c);
    printf("%d: %s %s %c\n", n, s, t, c);
    return 0;
}
