// flags: -std=gnu89 -Wno-deprecated-non-prototype
// K&R style definitions and calls without prototypes; default argument promotions; implicit-free.
#include <stdio.h>

int add(a, b)
    int a, b;
{
    return a + b;
}

double average(n, values)
    int n;
    double *values;
{
    double s = 0;
    int i;
    for (i = 0; i < n; i++)
        s += values[i];
    return n ? s / n : 0;
}

int narrow(c, s, f)
    char c;
    short s;
    float f;
{
    return c * 100 + s * 10 + (int)(f * 2);
}

static char *skip(s, n)
    char *s;
    unsigned n;
{
    while (n-- && *s)
        s++;
    return s;
}

int (*choose(k))()
    int k;
{
    return k ? add : (int (*)())0;
}

struct pair { int x, y; };
struct pair swap(p)
    struct pair p;
{
    int t = p.x;
    p.x = p.y;
    p.y = t;
    return p;
}

int main()
{
    double v[4];
    struct pair p;
    int (*f)();
    v[0] = 1; v[1] = 2.5; v[2] = -3; v[3] = 10;
    p.x = 3;
    p.y = 4;
    printf("%d\n", add(2, 3));
    printf("%g %g\n", average(4, v), average(0, v));
    printf("%d\n", narrow('\002', 3, 4.5));
    printf("%s|%s|\n", skip("hello world", 6u), skip("abc", 99u));
    f = choose(1);
    printf("%d %d\n", f(40, 2), choose(0) == 0);
    p = swap(p);
    printf("%d %d\n", p.x, p.y);
    {
        int i, total = 0;
        for (i = 0; i < 100; i++)
            total = add(total, add(i, -1));
        printf("%d\n", total);
    }
    return 0;
}
