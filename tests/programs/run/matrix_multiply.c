// Matrix multiplication over int, double and float, in three loop orders, with powers.
#include <stdio.h>
#include <string.h>

#define N 14
typedef unsigned imat[N][N];
static double da[N][N], db[N][N], dc[N][N];
static float fa[N][N], fc[N][N];

static void imul(imat out, imat a, imat b)
{
    imat t;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            t[i][j] = 0;
            for (int k = 0; k < N; k++)
                t[i][j] += a[i][k] * b[k][j];
        }
    memcpy(out, t, sizeof t);
}

int main(void)
{
    imat a, r;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (unsigned)(i * 7 + j * 3 + 1);
            r[i][j] = i == j;
            da[i][j] = (i + 1.0) / (j + 1.0);
            db[i][j] = (i - j) * 0.125;
            fa[i][j] = (float)(i ^ j) / 3;
        }
    for (unsigned e = 6; e; e >>= 1) {
        if (e & 1)
            imul(r, r, a);
        imul(a, a, a);
    }
    unsigned h = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            h = h * 33 + r[i][j];
    printf("int %u %u %u\n", h, r[0][0], r[N - 1][N - 1]);
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                dc[i][j] += da[i][k] * db[k][j];
    double tr = 0;
    for (int i = 0; i < N; i++)
        tr += dc[i][i] * (i + 1);
    printf("double %.12g %a\n", tr, dc[3][9]);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                fc[i][j] += fa[i][k] * fa[k][j];
    float s = 0;
    for (int i = 0; i < N; i++)
        s += fc[i][N - 1 - i];
    printf("float %.9g %a\n", s, fc[5][6]);
    return 0;
}
