// Arrays of several dimensions: pointers to arrays, slices, decay, row swapping, transposition.
#include <stdio.h>
#include <string.h>

static int cube[3][4][5];
static const char names[][8] = {"zero", "one", "two", "three"};

static long plane(int (*p)[5], int rows) { long s = 0; for (int i = 0; i < rows; i++) for (int j = 0; j < 5; j++) s += p[i][j] * (i + 1); return s; }
static long all(int a[][4][5], int n) { long s = 0; for (int i = 0; i < n; i++) s = s * 7 + plane(a[i], 4); return s; }

int main(void)
{
    int v = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++)
                cube[i][j][k] = v++;
    printf("%ld %ld\n", all(cube, 3), plane(cube[1], 4));
    printf("%zu %zu %zu %zu\n", sizeof cube, sizeof cube[0], sizeof cube[0][0], sizeof cube[0][0][0]);
    int (*mid)[4][5] = &cube[1];
    int (*row)[5] = cube[2];
    int *cell = cube[0][0];
    printf("%d %d %d %d\n", (*mid)[3][4], row[1][2], cell[4], (*(mid + 1))[0][0]);
    printf("%d %d\n", *(*(*(cube + 1) + 2) + 3), (&cube[0][0][0])[0]);
    printf("%td %td\n", &cube[2][0] - &cube[2][3], (char *)&cube[1] - (char *)&cube[0]);
    int tmp[5];
    memcpy(tmp, cube[0][0], sizeof tmp);
    memcpy(cube[0][0], cube[2][3], sizeof tmp);
    memcpy(cube[2][3], tmp, sizeof tmp);
    printf("%d %d\n", cube[0][0][0], cube[2][3][4]);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        printf("%s:%zu ", names[i], strlen(names[i]));
    puts("");
    int *rows[3];
    for (int i = 0; i < 3; i++)
        rows[i] = cube[i][i];
    int **pp = rows;
    printf("%d %d\n", pp[1][1], *(*(pp + 2) + 2));
    int m[4][4];
    for (int i = 0; i < 16; i++)
        m[i / 4][i % 4] = i * i;
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++) {
            int t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
    for (int i = 0; i < 4; i++)
        printf("%d %d %d %d\n", m[i][0], m[i][1], m[i][2], m[i][3]);
    short jag[2][3] = {{1}, {2, 3}};
    int s = 0;
    for (short *q = &jag[0][0], *e = q + 3; q < e; q++)
        s += *q;
    printf("%d %d %d\n", s, jag[1][1], jag[1][2]);
    double id[3][3] = {[0][0] = 1, [1][1] = 1, [2][2] = 1}, (*pid)[3][3] = &id;
    printf("%g %g\n", (*pid)[1][1], (*pid)[2][0]);
    return 0;
}
