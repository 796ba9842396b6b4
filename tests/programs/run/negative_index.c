// Negative indices through pointers into the middle of arrays, and reversed index syntax.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int histogram[22];

int main(void)
{
    int a[11], *mid = a + 5;
    for (int i = -5; i <= 5; i++)
        mid[i] = i * i * i;
    for (int i = 5; i >= -5; i--)
        printf("%d ", mid[i]);
    puts("");
    printf("%d %d %d\n", -2[mid + 0] == -mid[2], (-2)[mid], 3[a]);
    printf("%d %d\n", *(mid - 1), *(-3 + mid));
    int *h = histogram + 10;
    unsigned x = 3;
    for (int i = 0; i < 500; i++) {
        x = x * 1103515245u + 12345u;
        int v = (int)(x >> 16 & 7) + (int)(x >> 20 & 7) + (int)(x >> 24 & 7) - 10;
        h[v]++;
    }
    for (int v = -10; v <= 11; v++)
        printf("%d:%d ", v, h[v]);
    puts("");
    char buf[32] = "backwards";
    char *end = buf + strlen(buf);
    for (int i = -1; end + i >= buf; i--)
        putchar(end[i]);
    putchar('\n');
    double grid[5][7];
    double (*row)[7] = grid + 4, *last = &grid[4][6];
    for (int i = 0; i < 35; i++)
        last[-i] = i / 2.0;
    printf("%g %g %g\n", row[-4][0], row[-1][3], row[0][6]);
    signed char i8 = -3;
    long i64 = -4;
    short i16 = -2;
    printf("%d %d %d\n", mid[i8], mid[i64], mid[i16]);
    unsigned long back = (unsigned long)-1;
    printf("%d\n", mid[(long)back]);
    struct rec { int len; char data[8]; } *r = malloc(3 * sizeof *r);
    for (int i = 0; i < 3; i++) {
        r[i].len = i;
        strcpy(r[i].data, i == 0 ? "zero" : i == 1 ? "one" : "two");
    }
    struct rec *z = r + 3;
    printf("%s %s %d\n", z[-1].data, (z - 3)->data, z[-2].len);
    free(z - 3);
    return 0;
}
