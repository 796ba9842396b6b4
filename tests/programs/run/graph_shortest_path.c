// Dijkstra, Bellman-Ford and Floyd-Warshall on one weighted graph must agree; BFS and DFS orders.
#include <limits.h>
#include <stdio.h>

#define N 12
#define INF (INT_MAX / 4)
static int w[N][N];

static void dijkstra(int s, int *d)
{
    char done[N] = {0};
    for (int i = 0; i < N; i++) d[i] = INF;
    d[s] = 0;
    for (int k = 0; k < N; k++) {
        int u = -1;
        for (int i = 0; i < N; i++)
            if (!done[i] && (u < 0 || d[i] < d[u])) u = i;
        done[u] = 1;
        for (int v = 0; v < N; v++)
            if (d[u] + w[u][v] < d[v]) d[v] = d[u] + w[u][v];
    }
}

static int bellman(int s, int *d)
{
    int rounds = 0, changed = 1;
    for (int i = 0; i < N; i++) d[i] = i == s ? 0 : INF;
    while (changed && rounds++ < N) {
        changed = 0;
        for (int u = 0; u < N; u++)
            for (int v = 0; v < N; v++)
                if (d[u] < INF && w[u][v] < INF && d[u] + w[u][v] < d[v]) { d[v] = d[u] + w[u][v]; changed = 1; }
    }
    return rounds;
}

static void dfs(int u, unsigned *seen, char *out, int *n)
{
    *seen |= 1u << u;
    out[(*n)++] = (char)('a' + u);
    for (int v = 0; v < N; v++)
        if (w[u][v] < INF && !(*seen >> v & 1)) dfs(v, seen, out, n);
}

int main(void)
{
    unsigned x = 2024;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            x = x * 1664525u + 1013904223u;
            w[i][j] = i == j ? 0 : x >> 30 == 0 || j == (i + 1) % N ? (int)(x >> 16 & 63) + 1 : INF;
        }
    int f[N][N], d[N], b[N], bad = 0, rounds = 0;
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) f[i][j] = w[i][j];
    for (int k = 0; k < N; k++) for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)
        if (f[i][k] + f[k][j] < f[i][j]) f[i][j] = f[i][k] + f[k][j];
    for (int s = 0; s < N; s++) {
        dijkstra(s, d);
        rounds += bellman(s, b);
        for (int v = 0; v < N; v++) bad += d[v] != f[s][v] || b[v] != d[v];
        if (s % 4 == 0) { for (int v = 0; v < N; v++) printf("%d ", d[v]); puts(""); }
    }
    printf("bad %d rounds %d\n", bad, rounds);
    char out[N + 1] = {0};
    unsigned seen = 0;
    int n = 0;
    dfs(0, &seen, out, &n);
    printf("dfs %s\n", out);
    int q[N], head = 0, tail = 0;
    for (seen = 1u << 3, q[tail++] = 3; head < tail; head++)
        for (int v = 0; v < N; v++)
            if (w[q[head]][v] < INF && !(seen >> v & 1)) { seen |= 1u << v; q[tail++] = v; }
    for (int i = 0; i < tail; i++) putchar('a' + q[i]);
    puts("");
    return bad;
}
