// Conway's game of life on a torus: glider, blinker and a pseudo-random soup.
#include <stdio.h>
#include <string.h>

#define W 20
#define H 12
static unsigned char grid[H][W], tmp[H][W];

static int alive(int y, int x) { return grid[(y + H) % H][(x + W) % W]; }

static int step(void)
{
    int pop = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dy || dx)
                        n += alive(y + dy, x + dx);
            tmp[y][x] = n == 3 || (n == 2 && grid[y][x]);
            pop += tmp[y][x];
        }
    memcpy(grid, tmp, sizeof grid);
    return pop;
}

static unsigned hash(void)
{
    unsigned h = 2166136261u;
    for (int i = 0; i < H * W; i++)
        h = (h ^ grid[i / W][i % W]) * 16777619u;
    return h;
}

static void show(void)
{
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++)
            putchar(grid[y][x] ? '#' : '.');
        putchar('\n');
    }
}

int main(void)
{
    static const char *const glider[] = {".#.", "..#", "###"};
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            grid[y + 1][x + 1] = glider[y][x] == '#';
    for (int i = 0; i < 3; i++)
        grid[8][12 + i] = 1;
    show();
    for (int i = 0; i < 10; i++)
        step();
    show();
    unsigned x = 12345;
    for (int i = 0; i < H * W; i++)
        grid[i / W][i % W] = (x = x * 1103515245u + 12345u) >> 30 == 0;
    for (int i = 0; i < 8; i++) {
        int pop = step();
        printf("%d %08x\n", pop, hash());
    }
    show();
    return 0;
}
