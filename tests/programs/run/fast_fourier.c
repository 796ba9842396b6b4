// Iterative radix-2 FFT in double, inverse, and polynomial multiplication checked against integers.
#include <math.h>
#include <stdio.h>

#define MAXN 64
typedef struct { double re, im; } cx;
static cx add(cx a, cx b) { return (cx){a.re + b.re, a.im + b.im}; }
static cx sub(cx a, cx b) { return (cx){a.re - b.re, a.im - b.im}; }
static cx mul(cx a, cx b) { return (cx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

static void fft(cx *a, int n, int inv)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) { cx t = a[i]; a[i] = a[j]; a[j] = t; }
    }
    for (int len = 2; len <= n; len <<= 1) {
        double ang = 2 * 3.14159265358979323846 / len * (inv ? -1 : 1);
        cx wl = {cos(ang), sin(ang)};
        for (int i = 0; i < n; i += len) {
            cx w = {1, 0};
            for (int k = 0; k < len / 2; k++) {
                cx u = a[i + k], v = mul(a[i + k + len / 2], w);
                a[i + k] = add(u, v);
                a[i + k + len / 2] = sub(u, v);
                w = mul(w, wl);
            }
        }
    }
    if (inv)
        for (int i = 0; i < n; i++) { a[i].re /= n; a[i].im /= n; }
}

int main(void)
{
    cx a[MAXN], b[MAXN], keep[MAXN];
    for (int i = 0; i < MAXN; i++)
        keep[i] = a[i] = (cx){(i * 37 % 23) - 11, i % 5 - 2};
    fft(a, MAXN, 0);
    for (int i = 0; i < MAXN; i += 13)
        printf("%.6f %.6f\n", a[i].re, a[i].im);
    fft(a, MAXN, 1);
    double err = 0;
    for (int i = 0; i < MAXN; i++)
        err += fabs(a[i].re - keep[i].re) + fabs(a[i].im - keep[i].im);
    printf("round trip %s\n", err < 1e-9 ? "ok" : "BAD");
    int p[20], q[25], r[44] = {0}, bad = 0;
    for (int i = 0; i < 20; i++) p[i] = i * 17 % 31 - 15;
    for (int i = 0; i < 25; i++) q[i] = i * 29 % 37 - 18;
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 25; j++) r[i + j] += p[i] * q[j];
    for (int i = 0; i < MAXN; i++) {
        a[i] = (cx){i < 20 ? p[i] : 0, 0};
        b[i] = (cx){i < 25 ? q[i] : 0, 0};
    }
    fft(a, MAXN, 0);
    fft(b, MAXN, 0);
    for (int i = 0; i < MAXN; i++)
        a[i] = mul(a[i], b[i]);
    fft(a, MAXN, 1);
    for (int i = 0; i < 44; i++)
        bad += lround(a[i].re) != r[i];
    printf("bad %d %d %ld\n", bad, r[20], lround(a[20].re));
    return bad;
}
