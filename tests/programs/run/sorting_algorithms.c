// Eight sorting algorithms on the same data, with comparison counts.
#include <stdio.h>
#include <string.h>

#define N 96
static int src[N], a[N], tmp[N];
static long cmps;
static int less(int x, int y) { cmps++; return x < y; }
static void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }

static void bubble(void) { for (int n = N, moved = 1; moved; n--) { moved = 0; for (int i = 1; i < n; i++) if (less(a[i], a[i - 1])) { swap(&a[i], &a[i - 1]); moved = 1; } } }
static void selection(void) { for (int i = 0; i < N; i++) { int m = i; for (int j = i + 1; j < N; j++) if (less(a[j], a[m])) m = j; swap(&a[i], &a[m]); } }
static void insertion(void) { for (int i = 1; i < N; i++) { int v = a[i], j = i; while (j > 0 && less(v, a[j - 1])) { a[j] = a[j - 1]; j--; } a[j] = v; } }
static void shell(void)
{
    for (int g = N / 2; g; g = g == 2 ? 1 : g * 5 / 11)
        for (int i = g; i < N; i++)
            for (int j = i; j >= g && less(a[j], a[j - g]); j -= g)
                swap(&a[j], &a[j - g]);
}
static void msort(int lo, int hi)
{
    if (hi - lo < 2)
        return;
    int mid = lo + (hi - lo) / 2, i = lo, j = mid, k = lo;
    msort(lo, mid);
    msort(mid, hi);
    while (i < mid || j < hi)
        tmp[k++] = j == hi || (i < mid && !less(a[j], a[i])) ? a[i++] : a[j++];
    memcpy(a + lo, tmp + lo, (size_t)(hi - lo) * sizeof *a);
}
static void merge(void) { msort(0, N); }
static void qs(int lo, int hi)
{
    while (lo < hi) {
        int p = a[(lo + hi) / 2], i = lo, j = hi;
        do {
            while (less(a[i], p)) i++;
            while (less(p, a[j])) j--;
            if (i <= j) swap(&a[i++], &a[j--]);
        } while (i <= j);
        if (j - lo < hi - i) { qs(lo, j); lo = i; } else { qs(i, hi); hi = j; }
    }
}
static void quick(void) { qs(0, N - 1); }
static void counting(void) { int c[256] = {0}, k = 0; for (int i = 0; i < N; i++) c[a[i] + 128]++; for (int v = 0; v < 256; v++) while (c[v]--) a[k++] = v - 128; }
static void radix(void)
{
    for (int sh = 0; sh < 8; sh += 4) {
        int c[17] = {0};
        for (int i = 0; i < N; i++) c[((a[i] + 128) >> sh & 15) + 1]++;
        for (int d = 1; d < 17; d++) c[d] += c[d - 1];
        for (int i = 0; i < N; i++) tmp[c[(a[i] + 128) >> sh & 15]++] = a[i];
        memcpy(a, tmp, sizeof a);
    }
}

int main(void)
{
    static const struct { const char *n; void (*f)(void); } s[] = {{"bubble", bubble}, {"selection", selection}, {"insertion", insertion},
        {"shell", shell}, {"merge", merge}, {"quick", quick}, {"counting", counting}, {"radix", radix}};
    unsigned x = 77;
    for (int i = 0; i < N; i++)
        src[i] = (int)((x = x * 1103515245u + 12345u) >> 20 & 255) - 128;
    for (unsigned k = 0; k < sizeof s / sizeof *s; k++) {
        memcpy(a, src, sizeof a);
        cmps = 0;
        s[k].f();
        int ok = 1;
        unsigned h = 0;
        for (int i = 0; i < N; i++) { ok &= !i || a[i - 1] <= a[i]; h = h * 31 + (unsigned)a[i]; }
        printf("%-10s %d %u %ld\n", s[k].n, ok, h, cmps);
    }
    return 0;
}
