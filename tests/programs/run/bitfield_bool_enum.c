// Bit-fields of _Bool and enumerated type, including arrays of such structs.
#include <stdbool.h>
#include <stdio.h>

enum colour { RED, GREEN, BLUE, BLACK };

struct cell {
    bool alive : 1;
    bool marked : 1;
    enum colour colour : 2;
    unsigned char weight : 4;
};

static int score(struct cell c)
{
    return c.alive * 100 + c.marked * 50 + (int)c.colour * 10 + c.weight;
}

int main(void)
{
    struct cell grid[4][5] = {{{0}}};
    int v = 1;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++) {
            v = (v * 37 + 11) % 256;
            grid[i][j].alive = v & 0x40;      /* any non-zero is true */
            grid[i][j].marked = v % 3 == 0;
            grid[i][j].colour = (enum colour)(v & 3);
            grid[i][j].weight = (unsigned char)(v >> 4 & 15);
        }
    int total = 0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 5; j++) {
            int s = score(grid[i][j]);
            printf("%4d", s);
            total += s;
        }
        printf("\n");
    }
    printf("total %d size %zu\n", total, sizeof grid);
    struct cell c = { .alive = 2, .colour = BLACK, .weight = 15 };
    c.weight++;
    printf("%d %d %d %d\n", c.alive, c.marked, c.colour, c.weight);
    c.alive = !c.alive;
    double quarter = 0.25;
    c.marked = quarter;
    c.alive |= c.marked;
    printf("%d %d\n", c.alive, c.marked);
    switch (c.colour) {
    case RED: puts("red"); break;
    case GREEN: puts("green"); break;
    case BLUE: puts("blue"); break;
    case BLACK: puts("black"); break;
    }
    return total & 127;
}
