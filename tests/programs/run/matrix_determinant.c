// Determinants three ways: cofactors, Gaussian elimination in double, fraction-free in integers.
#include <math.h>
#include <stdio.h>

#define MAX 7

static long cofactor(int n, long a[MAX][MAX])
{
    if (n == 1)
        return a[0][0];
    long det = 0, sub[MAX][MAX];
    for (int c = 0; c < n; c++) {
        for (int i = 1; i < n; i++)
            for (int j = 0, k = 0; j < n; j++)
                if (j != c)
                    sub[i - 1][k++] = a[i][j];
        det += (c % 2 ? -1 : 1) * a[0][c] * cofactor(n - 1, sub);
    }
    return det;
}

static double gauss(int n, long in[MAX][MAX])
{
    double a[MAX][MAX], det = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = (double)in[i][j];
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
        if (a[p][k] == 0) return 0;
        if (p != k) {
            for (int j = 0; j < n; j++) { double t = a[p][j]; a[p][j] = a[k][j]; a[k][j] = t; }
            det = -det;
        }
        det *= a[k][k];
        for (int i = k + 1; i < n; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) a[i][j] -= f * a[k][j];
        }
    }
    return det;
}

static long bareiss(int n, long in[MAX][MAX])
{
    long a[MAX][MAX], prev = 1, sign = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = in[i][j];
    for (int k = 0; k < n - 1; k++) {
        int p = k;
        while (p < n && !a[p][k]) p++;
        if (p == n) return 0;
        if (p != k) { for (int j = 0; j < n; j++) { long t = a[p][j]; a[p][j] = a[k][j]; a[k][j] = t; } sign = -sign; }
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] = (a[i][j] * a[k][k] - a[i][k] * a[k][j]) / prev;
        prev = a[k][k];
    }
    return sign * a[n - 1][n - 1];
}

int main(void)
{
    long m[MAX][MAX];
    for (int seed = 1; seed <= 4; seed++)
        for (int n = 1; n <= MAX - (seed > 1); n++) {
            unsigned x = (unsigned)(seed * 1000 + n);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    m[i][j] = (long)((x = x * 1103515245u + 12345u) >> 16) % 21 - 10;
            if (seed == 3 && n > 2)
                for (int j = 0; j < n; j++) m[n - 1][j] = m[0][j] * 2;
            printf("n=%d %ld %ld %.6g\n", n, cofactor(n, m), bareiss(n, m), gauss(n, m) + 0.0);
        }
    return 0;
}
