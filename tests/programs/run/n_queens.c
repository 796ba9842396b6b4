// N queens: recursive backtracking with arrays, and with bit masks; first solutions printed.
#include <stdio.h>
#include <stdlib.h>

static int col[10], solutions, n, printed;
static long visits;

static int safe(int row, int c)
{
    for (int r = 0; r < row; r++)
        if (col[r] == c || abs(col[r] - c) == row - r)
            return 0;
    return 1;
}

static void place(int row)
{
    visits++;
    if (row == n) {
        if (n == 6 && !printed++)
            for (int r = 0; r < n; r++) {
                for (int c = 0; c < n; c++)
                    putchar(col[r] == c ? 'Q' : '.');
                putchar('\n');
            }
        solutions++;
        return;
    }
    for (int c = 0; c < n; c++)
        if (safe(row, c)) {
            col[row] = c;
            place(row + 1);
        }
}

static int masks(unsigned all, unsigned cols, unsigned d1, unsigned d2)
{
    if (cols == all)
        return 1;
    int s = 0;
    for (unsigned free = all & ~(cols | d1 | d2); free;) {
        unsigned bit = free & -free;
        free -= bit;
        s += masks(all, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
    }
    return s;
}

int main(void)
{
    for (n = 1; n <= 7; n++) {
        solutions = 0;
        visits = 0;
        place(0);
        printf("%d: %d (%ld visits)\n", n, solutions, visits);
    }
    for (unsigned k = 1; k <= 8; k++)
        printf("masks %u: %d\n", k, masks((1u << k) - 1, 0, 0, 0));
    return solutions;
}
