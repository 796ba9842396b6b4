// Maze generation with an explicit stack, breadth-first solution and recursive flood fill.
#include <stdio.h>
#include <string.h>

#define W 31
#define H 15
static char m[H][W + 1];
static unsigned seed = 99;

static unsigned rnd(unsigned n) { seed = seed * 1103515245u + 12345u; return (seed >> 16) % n; }

static void carve(void)
{
    static const int dx[] = {2, -2, 0, 0}, dy[] = {0, 0, 2, -2};
    struct { unsigned char x, y; } st[256];
    int sp = 0;
    memset(m, '#', sizeof m);
    for (int y = 0; y < H; y++) m[y][W] = 0;
    m[1][1] = ' ';
    st[sp].x = st[sp].y = 1;
    sp++;
    while (sp) {
        int x = st[sp - 1].x, y = st[sp - 1].y, opts[4], n = 0;
        for (int d = 0; d < 4; d++) {
            int nx = x + dx[d], ny = y + dy[d];
            if (nx > 0 && nx < W && ny > 0 && ny < H && m[ny][nx] == '#') opts[n++] = d;
        }
        if (!n) { sp--; continue; }
        int d = opts[rnd((unsigned)n)];
        m[y + dy[d] / 2][x + dx[d] / 2] = m[y + dy[d]][x + dx[d]] = ' ';
        st[sp].x = (unsigned char)(x + dx[d]);
        st[sp].y = (unsigned char)(y + dy[d]);
        sp++;
    }
}

static int bfs(int sx, int sy, int tx, int ty)
{
    static short q[W * H], from[W * H];
    int head = 0, tail = 0;
    memset(from, -1, sizeof from);
    q[tail++] = (short)(sy * W + sx);
    from[sy * W + sx] = (short)(sy * W + sx);
    while (head < tail) {
        int p = q[head++];
        if (p == ty * W + tx) {
            int n = 0;
            for (; p != sy * W + sx; p = from[p], n++) m[p / W][p % W] = '.';
            return n;
        }
        const int step[] = {1, -1, W, -W};
        for (int d = 0; d < 4; d++) {
            int r = p + step[d];
            if (m[r / W][r % W] != '#' && from[r] < 0) { from[r] = (short)p; q[tail++] = (short)r; }
        }
    }
    return -1;
}

static int fill(int x, int y, char from, char to)
{
    if (m[y][x] != from) return 0;
    m[y][x] = to;
    return 1 + fill(x + 1, y, from, to) + fill(x - 1, y, from, to) + fill(x, y + 1, from, to) + fill(x, y - 1, from, to);
}

int main(void)
{
    carve();
    int n = bfs(1, 1, W - 2, H - 2);
    for (int y = 0; y < H; y++) puts(m[y]);
    printf("path %d\n", n);
    m[1][1] = '.';
    printf("filled %d\n", fill(W - 2, H - 2, '.', 'o'));
    int space = 0;
    for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) space += m[y][x] == ' ';
    printf("space %d\n", space);
    return 0;
}
