// Variable-length arrays in two dimensions, as parameters and as locals in loops.
#include <stdio.h>

static long sum(int n, int m, int a[n][m])
{
    long s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j] * (i + 1L) - j;
    return s;
}

static void transpose(int n, int m, int in[n][m], int out[m][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[j][i] = in[i][j];
}

static int last(int n, int a[static n]) { return a[n - 1]; }

int main(void)
{
    unsigned long check = 0;
    for (int n = 1; n <= 6; n++)
        for (int m = 1; m <= 5; m++) {
            int a[n][m], b[m][n];
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++)
                    a[i][j] = i * 100 + j * 7 - 3;
            transpose(n, m, a, b);
            long s = sum(n, m, a), t = sum(m, n, b);
            check = check * 31 + (unsigned long)(s * 3 + t);
            if (n == 4)
                printf("%dx%d: %ld %ld sizes %zu %zu %zu\n", n, m, s, t, sizeof a, sizeof a[0], sizeof b[0]);
            int (*row)[m] = &a[n - 1];
            check += (unsigned long)((*row)[m - 1] + last(m, *row));
            check += (unsigned long)(&a[n - 1][0] - &a[0][0]);
        }
    printf("check %lu\n", check);
    int k = 3;
    char c[k][k + 1][k + 2];
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k + 1; j++)
            for (int l = 0; l < k + 2; l++)
                c[i][j][l] = (char)(i * 20 + j * 5 + l);
    const char *flat = &c[0][0][0];
    int ok = 1;
    for (size_t i = 0; i < sizeof c; i++)
        ok &= flat[i] == (char)i;
    printf("contiguous %d size %zu\n", ok, sizeof c);
    return 0;
}
