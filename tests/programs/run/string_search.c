// Substring search three ways (naive, KMP, Boyer-Moore-Horspool) and wildcard matching.
#include <stdio.h>
#include <string.h>

static int naive(const char *t, const char *p)
{
    size_t n = strlen(t), m = strlen(p);
    for (size_t i = 0; i + m <= n; i++) {
        size_t j = 0;
        while (j < m && t[i + j] == p[j]) j++;
        if (j == m) return (int)i;
    }
    return -1;
}

static int kmp(const char *t, const char *p)
{
    int fail[64], m = (int)strlen(p), k = 0;
    if (!m) return 0;
    fail[0] = 0;
    for (int i = 1; i < m; i++) {
        while (k && p[k] != p[i]) k = fail[k - 1];
        k += p[k] == p[i];
        fail[i] = k;
    }
    k = 0;
    for (int i = 0; t[i]; i++) {
        while (k && p[k] != t[i]) k = fail[k - 1];
        k += p[k] == t[i];
        if (k == m) return i - m + 1;
    }
    return -1;
}

static int bmh(const char *t, const char *p)
{
    int skip[256], n = (int)strlen(t), m = (int)strlen(p);
    for (int i = 0; i < 256; i++) skip[i] = m;
    for (int i = 0; i < m - 1; i++) skip[(unsigned char)p[i]] = m - 1 - i;
    for (int i = 0; i + m <= n; i += m ? skip[(unsigned char)t[i + m - 1]] : 1)
        if (!memcmp(t + i, p, (size_t)m)) return i;
    return -1;
}

static int glob(const char *p, const char *s)
{
    if (!*p) return !*s;
    if (*p == '*') return glob(p + 1, s) || (*s && glob(p, s + 1));
    if (*p == '[') {
        int ok = 0, not = p[1] == '!';
        const char *q = p + 1 + not;
        for (; *q != ']'; q++)
            if (q[1] == '-') { ok |= *s >= *q && *s <= q[2]; q += 2; }
            else ok |= *s == *q;
        return *s && ok != not && glob(q + 1, s + 1);
    }
    return *s && (*p == '?' || *p == *s) && glob(p + 1, s + 1);
}

int main(void)
{
    const char *t[] = {"abracadabra", "aaaaaaaaab", "mississippi", "the thin thief thought a thing", ""};
    const char *p[] = {"abra", "cad", "aab", "issip", "thing", "", "x", "ab", "thou"};
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 9; j++) {
            const char *s = strstr(t[i], p[j]);
            int a = naive(t[i], p[j]), b = kmp(t[i], p[j]), c = bmh(t[i], p[j]), d = s ? (int)(s - t[i]) : -1;
            printf("%d%s ", a, a == b && b == c && c == d ? "" : "!");
        }
        puts("");
    }
    const char *g[][2] = {{"*.c", "main.c"}, {"*.c", "main.h"}, {"a?c*", "abcdef"}, {"*a*b*c*", "xxaxxbxxc"}, {"[a-c]*[!0-9]", "b12x"},
                          {"[a-c]*[!0-9]", "b123"}, {"", ""}, {"*", ""}, {"?", ""}, {"[xyz]", "y"}, {"a**b", "ab"}};
    for (int i = 0; i < 11; i++)
        printf("%d", glob(g[i][0], g[i][1]));
    puts("");
    return 0;
}
