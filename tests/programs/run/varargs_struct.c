// Structures of several register classes taken with va_arg.
#include <stdarg.h>
#include <stdio.h>

struct ii { int a, b; };
struct dd { double a, b; };
struct di { double a; int b; };
struct ff { float a, b; };
struct c3 { char c[3]; };
struct big { long v[4]; };
struct one { char c; };

static double take(const char *fmt, ...)
{
    va_list ap;
    double sum = 0;
    va_start(ap, fmt);
    for (; *fmt; fmt++) {
        double part = 0;
        switch (*fmt) {
        case 'i': { struct ii s = va_arg(ap, struct ii); part = s.a * 10 + s.b; break; }
        case 'd': { struct dd s = va_arg(ap, struct dd); part = s.a * 10 + s.b; break; }
        case 'm': { struct di s = va_arg(ap, struct di); part = s.a * 10 + s.b; break; }
        case 'f': { struct ff s = va_arg(ap, struct ff); part = s.a * 10 + s.b; break; }
        case 'c': { struct c3 s = va_arg(ap, struct c3); part = s.c[0] * 100 + s.c[1] * 10 + s.c[2]; break; }
        case 'b': { struct big s = va_arg(ap, struct big); part = (double)(s.v[0] + s.v[1] * 2 + s.v[2] * 3 + s.v[3] * 4); break; }
        case 'o': { struct one s = va_arg(ap, struct one); part = s.c; break; }
        case 'n': part = va_arg(ap, int); break;
        case 'x': part = va_arg(ap, double); break;
        }
        printf("%c=%g ", *fmt, part);
        sum += part;
    }
    va_end(ap);
    printf("-> %g\n", sum);
    return sum;
}

int main(void)
{
    struct ii i = {1, 2};
    struct dd d = {1.5, 2.5};
    struct di m = {3.25, -4};
    struct ff f = {0.5f, 0.25f};
    struct c3 c = {{1, 2, 3}};
    struct big b = {{1, 10, 100, 1000}};
    struct one o = {'A'};
    double t = 0;
    t += take("idmfcbo", i, d, m, f, c, b, o);
    t += take("iiiiiii", i, i, i, i, i, i, i);
    t += take("ddddddd", d, d, d, d, d, d, d);
    t += take("nnnnnminnm", 1, 2, 3, 4, 5, m, i, 7, 8, m);
    t += take("xxxxxxxfdxf", 1., 2., 3., 4., 5., 6., 7., f, d, 8., f);
    t += take("bnbxbc", b, 1, b, 2.0, b, c);
    t += take("cococococo", c, o, c, o, c, o, c, o, c, o);
    printf("total %.3f\n", t);
    return 0;
}
