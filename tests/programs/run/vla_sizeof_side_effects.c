// sizeof applied to VLA types evaluates its operand; to other types it does not.
#include <stdio.h>

static int calls;
static int n(int v) { calls++; return v; }

int main(void)
{
    int i = 3;
    size_t s = sizeof(int[i++]);
    printf("%zu %d\n", s, i);
    s = sizeof(int[n(5)]);
    printf("%zu calls %d\n", s, calls);
    s = sizeof n(7);
    printf("%zu calls %d\n", s, calls);
    s = sizeof(char[n(2)][n(3)]);
    printf("%zu calls %d\n", s, calls);
    int a[n(4)];
    printf("%zu %zu calls %d\n", sizeof a, sizeof a[0], calls);
    i = 5;
    double v[i];
    i = 100;
    printf("size fixed at declaration: %zu\n", sizeof v / sizeof v[0]);
    typedef short row[i];
    i = 7;
    row r;
    for (int k = 0; k < 100; k++)
        r[k] = (short)(k * k);
    printf("typedef %zu last %d\n", sizeof(row), r[99]);
    for (int k = 0; k < 4; k++)
        a[k] = k * k;
    int (*p)[4] = (int (*)[i - 3])a;
    printf("%d %zu\n", (*p)[3], sizeof *p);
    int total = 0;
    for (int k = 1; k < 40; k++) {
        unsigned char b[k];
        for (int j = 0; j < k; j++)
            b[j] = (unsigned char)(j * k);
        total += b[k - 1] + (int)sizeof b;
        if (k % 5 == 0)
            continue;
        total ^= b[k / 2];
    }
    printf("total %d calls %d\n", total, calls);
    goto skip;
skip:
    return 0;
}
