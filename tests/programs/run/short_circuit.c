// Short-circuit evaluation of && and ||, in values, conditions, loops and nested negations.
#include <stdio.h>

static int log_[200], n;
static int t(int id, int v) { if (n < 200) log_[n++] = id; return v; }

static int xor_(int a, int b) { return !a != !b; }

int main(void)
{
    int r = 0;
    for (int m = 0; m < 8; m++) {
        int a = m & 1, b = m >> 1 & 1, c = m >> 2 & 1;
        r = r * 2 + (t(1, a) && t(2, b) && t(3, c));
        r = r * 2 + (t(4, a) || t(5, b) || t(6, c));
        r = r % 10007;
        r = r * 2 + (t(7, a) && (t(8, b) || t(9, c)));
        r = r * 2 + !(t(10, a) || (!t(11, b) && t(12, c)));
        r = r % 10007;
    }
    printf("%d, %d calls\n", r, n);
    unsigned h = 0;
    for (int i = 0; i < n; i++)
        h = h * 13 + (unsigned)log_[i];
    printf("%u\n", h);
    int *p = NULL, x = 5;
    if (p && *p == 5)
        puts("no");
    if (!p || *p)
        puts("guarded");
    p = &x;
    if (p && *p == 5)
        puts("dereferenced");
    int d = 0;
    printf("%d %d\n", d != 0 && 10 / d > 1, d == 0 || 10 / d > 1);
    int i = 0, s = 0;
    while (i < 100 && (i % 7 != 6 || i < 20) && ++s)
        i++;
    printf("%d %d\n", i, s);
    printf("%d %d %d\n", x && 6, (double)x && 0 * d, "x" && p);
    printf("%d %d\n", 1 || t(99, 1), n);
    printf("%d\n", xor_(3, 0) && !xor_(2, 9));
    int v = (i > 3 && s > 3) + (i > 1000 || s == 27) * 2;
    printf("%d\n", v);
    (void)((x > 3 && t(50, 1)) || t(51, 1));
    (void)((x < 3 && t(52, 1)) || t(53, 1));
    printf("%d %d\n", log_[n - 2], log_[n - 1]);
    _Bool b = x && !p;
    for (int k = 0; b || k < 4; k++)
        if (k == 3 || (b = !b, k == 9))
            break;
    printf("%d\n", b);
    return 0;
}
