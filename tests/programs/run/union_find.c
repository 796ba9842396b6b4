// Disjoint sets with path compression; minimum spanning tree by Kruskal; connected components.
#include <stdio.h>
#include <stdlib.h>

#define N 60
static int parent[N], rank_[N], finds;

static int find(int x)
{
    finds++;
    while (parent[x] != x)
        x = parent[x] = parent[parent[x]];
    return x;
}

static int unite(int a, int b)
{
    a = find(a);
    b = find(b);
    if (a == b)
        return 0;
    if (rank_[a] < rank_[b]) { int t = a; a = b; b = t; }
    parent[b] = a;
    rank_[a] += rank_[a] == rank_[b];
    return 1;
}

static void reset(void) { for (int i = 0; i < N; i++) { parent[i] = i; rank_[i] = 0; } }

struct edge { int a, b, w; };
static int cmp(const void *x, const void *y)
{
    const struct edge *p = x, *q = y;
    return p->w != q->w ? p->w - q->w : p->a != q->a ? p->a - q->a : p->b - q->b;
}

int main(void)
{
    reset();
    int comps = N;
    for (int i = 0; i < N; i++)
        comps -= unite(i, i * 7 % N);
    printf("components %d\n", comps);
    int size[N] = {0};
    for (int i = 0; i < N; i++)
        size[find(i)]++;
    int biggest = 0;
    for (int i = 0; i < N; i++)
        if (size[i] > biggest)
            biggest = size[i];
    printf("biggest %d\n", biggest);
    static struct edge e[400];
    unsigned x = 31;
    for (int i = 0; i < 400; i++) {
        x = x * 1103515245u + 12345u;
        e[i].a = (int)(x >> 8 & 0xffff) % N;
        x = x * 1103515245u + 12345u;
        e[i].b = (int)(x >> 8 & 0xffff) % N;
        e[i].w = (int)(x >> 20 & 1023);
    }
    qsort(e, 400, sizeof *e, cmp);
    reset();
    long total = 0;
    int used = 0;
    for (int i = 0; i < 400; i++)
        if (unite(e[i].a, e[i].b)) {
            total += e[i].w;
            if (used++ % 12 == 0)
                printf("%d-%d:%d ", e[i].a, e[i].b, e[i].w);
        }
    printf("\nedges %d weight %ld finds %d\n", used, total, finds);
    return 0;
}
