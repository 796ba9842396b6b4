// Sudoku by backtracking with candidate bit masks.
#include <stdio.h>

static unsigned short row[9], col[9], box[9];
static char g[81];
static long nodes;

static int load(const char *s)
{
    int given = 0;
    for (int i = 0; i < 9; i++)
        row[i] = col[i] = box[i] = 0;
    for (int i = 0; i < 81; i++) {
        g[i] = 0;
        if (s[i] >= '1' && s[i] <= '9') {
            unsigned short m = (unsigned short)(1u << (s[i] - '1'));
            int r = i / 9, c = i % 9, b = r / 3 * 3 + c / 3;
            if ((row[r] | col[c] | box[b]) & m)
                return -1;
            row[r] |= m;
            col[c] |= m;
            box[b] |= m;
            g[i] = (char)(s[i] - '0');
            given++;
        }
    }
    return given;
}

static int solve(void)
{
    int best = -1, count = 10;
    unsigned cand = 0;
    nodes++;
    for (int i = 0; i < 81 && count > 1; i++)
        if (!g[i]) {
            int r = i / 9, c = i % 9;
            unsigned m = 0x1ffu & ~(unsigned)(row[r] | col[c] | box[r / 3 * 3 + c / 3]);
            int n = __builtin_popcount(m);
            if (n < count) { count = n; best = i; cand = m; }
        }
    if (best < 0)
        return 1;
    int r = best / 9, c = best % 9, b = r / 3 * 3 + c / 3;
    for (; cand; cand &= cand - 1) {
        unsigned short m = (unsigned short)(cand & -cand);
        row[r] ^= m; col[c] ^= m; box[b] ^= m;
        g[best] = (char)(__builtin_ctz(m) + 1);
        if (solve())
            return 1;
        row[r] ^= m; col[c] ^= m; box[b] ^= m;
    }
    g[best] = 0;
    return 0;
}

int main(void)
{
    const char *p[] = {
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        ".................................................................................",
        "55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "123456789.........................................................................",
        "12345678.........9..................................................................",
    };
    for (int k = 0; k < 5; k++) {
        nodes = 0;
        int given = load(p[k]);
        int ok = given >= 0 && solve();
        printf("puzzle %d given %d solved %d nodes %ld\n", k, given, ok, nodes);
        if (ok)
            for (int i = 0; i < 81; i++)
                printf("%d%s", g[i], i % 9 == 8 ? "\n" : "");
    }
    return 0;
}
