// Permutations by recursion, by lexicographic successor and by Heap's method; subsets, combinations.
#include <stdio.h>
#include <string.h>

static unsigned h;
static int count;

static void note(const char *s) { count++; for (; *s; s++) h = h * 31 + (unsigned char)*s; }

static void swap(char *a, char *b) { char t = *a; *a = *b; *b = t; }

static void rec(char *s, int i, int n)
{
    if (i == n) {
        note(s);
        if (n <= 3) printf("%s ", s);
        return;
    }
    for (int j = i; j < n; j++) {
        swap(s + i, s + j);
        rec(s, i + 1, n);
        swap(s + i, s + j);
    }
}

static int next(char *s, int n)
{
    int i = n - 2, j = n - 1;
    while (i >= 0 && s[i] >= s[i + 1]) i--;
    if (i < 0) return 0;
    while (s[j] <= s[i]) j--;
    swap(s + i, s + j);
    for (int a = i + 1, b = n - 1; a < b; a++, b--) swap(s + a, s + b);
    return 1;
}

static void heap(char *s, int k)
{
    if (k == 1) { note(s); return; }
    for (int i = 0; i < k; i++) {
        heap(s, k - 1);
        swap(k % 2 ? s : s + i, s + k - 1);
    }
}

static int choose(const char *s, int k, char *out, int n)
{
    if (k == 0) { out[n] = 0; printf("%s ", out); return 1; }
    int c = 0;
    for (; *s; s++) { out[n] = *s; c += choose(s + 1, k - 1, out, n + 1); }
    return c;
}

static void report(const char *t) { printf("%s count %d hash %u\n", t, count, h); count = 0; h = 0; }

int main(void)
{
    char a[] = "abc", b[] = "abcdef", c[] = "aabbccd", d[] = "12345", buf[8];
    rec(a, 0, 3); report("rec3");
    rec(b, 0, 6); report("rec6");
    printf("restored %s\n", b);
    do note(c); while (next(c, 7));
    report("multiset");
    heap(d, 5); report("heap");
    printf("= %d\n", choose("vwxyz", 3, buf, 0));
    for (unsigned m = 0; m < 8; m++) {
        putchar('{');
        for (int i = 0; i < 3; i++) if (m >> i & 1) putchar("pqr"[i]);
        printf("}%c", m == 7 ? '\n' : ' ');
    }
    return 0;
}
