// Recursion a few thousand frames deep, with arrays in the frames, and results from every level.
#include <stdio.h>
#include <string.h>

static unsigned sum_down(unsigned n) { return n ? n + sum_down(n - 1) : 0; }

static int frames(int n, const char *above)
{
    char mine[48];
    memset(mine, n & 127, sizeof mine);
    if (n == 0)
        return above[3];
    int r = frames(n - 1, mine);
    return r + (mine[47] == (n & 127)) + (above[0] == ((n + 1) & 127));
}

static void reverse_print(const char *s) { if (*s) { reverse_print(s + 1); putchar(*s); } }

static int power(int b, int e, int m) { return e == 0 ? 1 % m : e % 2 ? (int)((long)b * power(b, e - 1, m) % m) : power((int)((long)b * b % m), e / 2, m); }

static int subsets(const int *a, int n, int target) { return n == 0 ? target == 0 : subsets(a + 1, n - 1, target) + subsets(a + 1, n - 1, target - *a); }

static unsigned long cat(int n) { if (n <= 1) return 1; unsigned long s = 0; for (int i = 0; i < n; i++) s += cat(i) * cat(n - 1 - i); return s; }

static double cf(int n) { return n > 60 ? 1 : n + n / cf(n + 1); }

struct tree { int v; struct tree *l, *r; };
static int build(struct tree *pool, int lo, int hi, int *used)
{
    if (lo >= hi) return -1;
    int mid = (lo + hi) / 2, me = (*used)++;
    pool[me].v = mid;
    int l = build(pool, lo, mid, used), r = build(pool, mid + 1, hi, used);
    pool[me].l = l < 0 ? NULL : pool + l;
    pool[me].r = r < 0 ? NULL : pool + r;
    return me;
}
static int height(const struct tree *t) { if (!t) return 0; int l = height(t->l), r = height(t->r); return 1 + (l > r ? l : r); }
static long sum(const struct tree *t, int d) { return t ? (long)t->v * d + sum(t->l, d + 1) + sum(t->r, d + 1) : 0; }

int main(void)
{
    printf("%u\n", sum_down(5000));
    char top[8] = {0};
    memset(top, 2001 & 127, sizeof top);
    printf("%d\n", frames(2000, top));
    reverse_print("stressed was I ere I saw desserts");
    puts("");
    printf("%d %d\n", power(3, 1000000, 1000007), power(7, 12345, 10007));
    int a[] = {3, 34, 4, 12, 5, 2, 8, 1, 9, 6};
    printf("%d %d\n", subsets(a, 10, 20), subsets(a, 10, 100));
    printf("%lu %.12f\n", cat(9), cf(1));
    static struct tree pool[300];
    int used = 0, root = build(pool, 0, 300, &used);
    printf("%d %d %ld\n", used, height(pool + root), sum(pool + root, 1));
    return 0;
}
