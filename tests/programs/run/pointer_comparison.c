// Relational and equality comparison of pointers within one object; pointer differences.
#include <stddef.h>
#include <stdio.h>

struct s { char a; int b; short c[3]; double d; };

static void reverse(int *a, int *b) { while (a < b) { int t = *a; *a++ = *b; *b-- = t; } }

static const int *bsearch_int(const int *lo, const int *hi, int key)
{
    while (lo < hi) {
        const int *mid = lo + (hi - lo) / 2;
        if (*mid < key) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

int main(void)
{
    int a[20];
    for (int i = 0; i < 20; i++)
        a[i] = i * 3;
    int *p = a + 5, *q = &a[15], *end = a + 20;
    printf("%d %d %d %d %d %d\n", p < q, p <= q, p > q, p >= q, p == q, p != q);
    printf("%td %td %td\n", q - p, p - q, end - a);
    printf("%d %d\n", p + 10 == q, &p[10] - 10 == p);
    printf("%d %d\n", end > q, end == &a[20]);
    reverse(a, end - 1);
    for (int *r = a; r != end; r += 4)
        printf("%d ", *r);
    puts("");
    reverse(a, end - 1);
    for (int k = -1; k < 62; k += 9)
        printf("%td ", bsearch_int(a, end, k) - a);
    puts("");
    struct s s;
    printf("%d %d %d\n", (char *)&s.a < (char *)&s.b, (char *)&s.b < (char *)s.c, (char *)&s.d > (char *)&s.c[2]);
    printf("%td %td\n", (char *)&s.d - (char *)&s, &s.c[2] - &s.c[0]);
    int m[4][5];
    printf("%td %td %d\n", &m[3] - &m[0], &m[2][4] - &m[2][0], (void *)&m[1] == (void *)&m[1][0]);
    void *v = a, *w = a + 1;
    printf("%d %d\n", v < w, v != w);
    int *n = NULL, **pp = &p;
    printf("%d %d %d\n", n == NULL, !n, *pp == p);
    double d[3], *dp = d + 3;
    int steps = 0;
    while (dp-- > d + 0 && steps < 2)
        steps++;
    printf("%d %td\n", steps, dp - d);
    const char *t = "hello world", *sp = t;
    while (*sp && *sp != ' ')
        sp++;
    printf("%td %c\n", sp - t, sp[-1]);
    ptrdiff_t neg = &a[2] - &a[9];
    printf("%td %td %d\n", neg, neg * (ptrdiff_t)sizeof(int), a[9 + neg]);
    return 0;
}
