// Dynamic programming over strings: edit distance with trace-back, longest common subsequence, knapsack.
#include <stdio.h>
#include <string.h>

static int min3(int a, int b, int c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }

static int edit(const char *a, const char *b, char *script)
{
    int n = (int)strlen(a), m = (int)strlen(b), d[n + 1][m + 1];
    for (int i = 0; i <= n; i++) d[i][0] = i;
    for (int j = 0; j <= m; j++) d[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
    int i = n, j = m, k = 0;
    while (i || j) {
        if (i && j && d[i][j] == d[i - 1][j - 1] + (a[i - 1] != b[j - 1])) { script[k++] = a[i - 1] == b[j - 1] ? '=' : '~'; i--; j--; }
        else if (i && d[i][j] == d[i - 1][j] + 1) { script[k++] = '-'; i--; }
        else { script[k++] = '+'; j--; }
    }
    script[k] = 0;
    for (int p = 0, q = k - 1; p < q; p++, q--) { char t = script[p]; script[p] = script[q]; script[q] = t; }
    return d[n][m];
}

static int lcs(const char *a, const char *b, char *out)
{
    int n = (int)strlen(a), m = (int)strlen(b), t[32][32] = {{0}};
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; j--)
            t[i][j] = a[i] == b[j] ? 1 + t[i + 1][j + 1] : t[i + 1][j] > t[i][j + 1] ? t[i + 1][j] : t[i][j + 1];
    int i = 0, j = 0, k = 0;
    while (i < n && j < m)
        if (a[i] == b[j]) { out[k++] = a[i]; i++; j++; }
        else if (t[i + 1][j] >= t[i][j + 1]) i++;
        else j++;
    out[k] = 0;
    return t[0][0];
}

int main(void)
{
    const char *p[][2] = {{"kitten", "sitting"}, {"", "abc"}, {"flaw", "lawn"}, {"intention", "execution"}, {"same", "same"}, {"weft", "warp"}};
    char s[64];
    for (int i = 0; i < 6; i++) {
        int d = edit(p[i][0], p[i][1], s);
        printf("%s %s %d %s", p[i][0], p[i][1], d, s);
        int l = lcs(p[i][0], p[i][1], s);
        printf(" lcs %d '%s'\n", l, s);
    }
    int weight[] = {12, 7, 11, 8, 9, 6, 5}, value[] = {24, 13, 23, 15, 16, 11, 9}, best[61] = {0};
    for (int i = 0; i < 7; i++)
        for (int c = 60; c >= weight[i]; c--)
            if (best[c - weight[i]] + value[i] > best[c]) best[c] = best[c - weight[i]] + value[i];
    printf("knapsack %d %d %d\n", best[26], best[40], best[60]);
    int coins[] = {1, 5, 10, 25, 50};
    long ways[101] = {1};
    for (int i = 0; i < 5; i++)
        for (int c = coins[i]; c <= 100; c++) ways[c] += ways[c - coins[i]];
    printf("ways %ld\n", ways[100]);
    return 0;
}
