// The comma operator in for loops, conditions, arguments, returns and initialisers; sequencing.
#include <stdio.h>

static int trace[64], tn;
static int t(int v) { trace[tn++] = v; return v; }

static int three(int a) { return a++, a *= 2, a - 1; }

int main(void)
{
    int a = (1, 2, 3);
    printf("%d\n", a);
    for (int i = 0, j = 20; i < j; i++, j -= 2)
        printf("%d/%d ", i, j);
    puts("");
    int x = (t(1), t(2), t(3)) + 10;
    int y = (t(4), x) ? (t(5), 50) : (t(6), 60);
    printf("%d %d\n", x, y);
    printf("%d %d\n", three(5), (three(1), three(2)));
    int n = 0;
    while (n++, n * n < 50)
        ;
    printf("%d\n", n);
    if (t(7), 0)
        t(8);
    else
        t(9);
    int arr[3] = {(1, 4), (2, 5), (t(10), 6)};
    printf("%d %d %d\n", arr[0], arr[1], arr[2]);
    arr[(t(11), 1)] = (t(12), 77);
    printf("%d\n", arr[1]);
    struct { int p, q; } s = {1, 2}, r;
    r = (s.p = 9, s);
    printf("%d %d\n", r.p, r.q);
    int *p = arr, k;
    k = (p++, *p);
    printf("%d %td\n", k, p - arr);
    do n--, t(n + 100); while (t(0), n > 5);
    int m = t(1) && (t(2), 0) && t(3);
    m |= t(0) || (t(0), 5) || t(9);
    printf("%d\n", m);
    int z = 5;
    z = 1, z += 10;
    printf("%d\n", z);
    for (int i = 0; i < tn; i++)
        printf("%d ", trace[i]);
    printf("= %d\n", tn);
    return 0;
}
