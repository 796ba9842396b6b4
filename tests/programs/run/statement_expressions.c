// GNU statement expressions, typeof, local labels and nested macros built on them.
#include <stdio.h>

#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define CLAMP(x, lo, hi) ({ __typeof__(x) _x = (x); _x < (lo) ? (lo) : _x > (hi) ? (hi) : _x; })
#define SUM(arr, n) ({ __typeof__((arr)[0]) _s = 0; for (int _i = 0; _i < (int)(n); _i++) _s += (arr)[_i]; _s; })
#define FIND(arr, n, v) ({ __label__ found; int _r = -1; \
    for (int _i = 0; _i < (n); _i++) if ((arr)[_i] == (v)) { _r = _i; goto found; } found:; _r; })
#define FIRST_NONZERO(...) ({ int _t[] = {__VA_ARGS__}, _r = 0; \
    for (unsigned _k = 0; _k < sizeof _t / sizeof *_t; _k++) if (_t[_k]) { _r = _t[_k]; break; } _r; })

struct pt { int x, y; };

static int early(int v)
{
    int r = ({ if (v < 0) return -1; v * 2; });
    return r + 1;
}

int main(void)
{
    int i = 5, j = 8;
    printf("%d %d %d\n", MAX(i++, j), i, MAX(MAX(1, 2), MAX(4, 3)));
    printf("%g %d\n", MAX(1.5, 2), CLAMP(i * 10, 0, 42));
    int a[] = {3, 1, 4, 1, 5, 9, 2, 6};
    double d[] = {0.5, 0.25, 0.125};
    printf("%d %g\n", SUM(a, 8), SUM(d, 3));
    printf("%d %d %d\n", FIND(a, 8, 9), FIND(a, 8, 7), FIND(a, 8, 1));
    printf("%d\n", FIRST_NONZERO(0, 0, 7, 8));
    printf("%d %d\n", early(-5), early(10));
    struct pt p = ({ struct pt t = {1, 2}; t.x += 10; t; });
    printf("%d %d\n", p.x, p.y);
    int n = 0;
    while (({ n += 3; n < 20; }))
        if (({ int q = n % 2; q; }))
            printf("%d ", n);
    puts("");
    const char *s = ({ static const char t[] = "static inside"; t; });
    puts(s);
    __typeof__(a) copy;
    for (unsigned k = 0; k < sizeof a / sizeof *a; k++)
        copy[k] = ({ int t = a[k]; t * t; });
    printf("%d\n", SUM(copy, 8));
    __typeof__(&a[0]) pa = a + 2;
    __typeof__(int (*)(int)) fp = early;
    printf("%d %d\n", *pa, fp(*pa));
    int total = 0;
    for (int k = 0; k < 10; k++)
        total += ({ if (k == 3) continue; if (k == 8) break; k; });
    printf("%d\n", total);
    return 0;
}
