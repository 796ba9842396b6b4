// restrict-qualified parameters and locals, used as promised.
#include <stdio.h>
#include <stdlib.h>

static void axpy(int n, double a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}

static void copy(char *restrict d, const char *restrict s) { while ((*d++ = *s++)) ; }

static int sum(int *restrict a, int *restrict b, int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) {
        *a += i;
        *b -= i;
        t += *a * *b;
    }
    return t;
}

struct vecs { float *restrict x, *restrict y; int n; };
static float dot(struct vecs v) { float r = 0; for (int i = 0; i < v.n; i++) r += v.x[i] * v.y[i]; return r; }

static void prefix(int n, int out[restrict n], const int in[restrict n])
{
    out[0] = in[0];
    for (int i = 1; i < n; i++)
        out[i] = out[i - 1] + in[i];
}

int main(void)
{
    double x[50], y[50];
    for (int i = 0; i < 50; i++) {
        x[i] = i * 0.5;
        y[i] = 100 - i;
    }
    axpy(50, 2.5, x, y);
    axpy(25, -1, x, x + 25);           /* disjoint halves of one array */
    double s = 0;
    for (int i = 0; i < 50; i++)
        s += y[i] * (i % 3) + x[i];
    printf("%.4f\n", s);
    char buf[32];
    copy(buf, "restricted copy");
    puts(buf);
    int a = 1, b = 100;
    int both = sum(&a, &b, 10);
    printf("%d %d %d\n", both, a, b);
    float fx[8] = {1, 2, 3, 4, 5, 6, 7, 8}, fy[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    printf("%g\n", dot((struct vecs){fx, fy, 8}));
    int in[10], out[10];
    for (int i = 0; i < 10; i++)
        in[i] = i * i;
    prefix(10, out, in);
    printf("%d %d\n", out[4], out[9]);
    int *restrict p = malloc(10 * sizeof *p);
    for (int i = 0; i < 10; i++)
        p[i] = out[9 - i];
    printf("%d %d\n", p[0], p[9]);
    free(p);
    return 0;
}
