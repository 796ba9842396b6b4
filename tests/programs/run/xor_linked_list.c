// An XOR linked list traversed in both directions, with insertion and removal at both ends.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node { int v; uintptr_t link; };
static struct node *ends[2];
static int live;

static uintptr_t x(const struct node *a, const struct node *b) { return (uintptr_t)a ^ (uintptr_t)b; }
static struct node *other(const struct node *n, const struct node *from) { return (struct node *)(n->link ^ (uintptr_t)from); }

static void push(int side, int v)
{
    struct node *n = malloc(sizeof *n), *e = ends[side];
    live++;
    n->v = v;
    n->link = x(e, NULL);
    if (e)
        e->link ^= (uintptr_t)n;
    else
        ends[!side] = n;
    ends[side] = n;
}

static int pop(int side)
{
    struct node *e = ends[side], *n = other(e, NULL);
    int v = e->v;
    if (n)
        n->link ^= (uintptr_t)e;
    else
        ends[!side] = NULL;
    ends[side] = n;
    free(e);
    live--;
    return v;
}

static long walk(int side, int show)
{
    long h = 7;
    for (struct node *p = NULL, *n = ends[side], *t; n; t = other(n, p), p = n, n = t) {
        h = (h * 31 + n->v) % 1000003;
        if (show)
            printf("%d ", n->v);
    }
    if (show)
        puts("");
    return h;
}

int main(void)
{
    for (int i = 0; i < 10; i++)
        push(i % 2, i * i);
    walk(0, 1);
    walk(1, 1);
    long s = 0;
    unsigned r = 1;
    for (int i = 0; i < 300; i++) {
        r = r * 1103515245u + 12345u;
        int side = r >> 30 & 1;
        if (live && r >> 28 & 1 && live > 3)
            s = (s * 17 + pop(side)) % 10007;
        else
            push(side, (int)(r >> 16 & 255));
        if (i % 50 == 0)
            printf("%d nodes: %ld %ld\n", live, walk(0, 0), walk(1, 0));
    }
    while (live)
        s = (s * 17 + pop(live & 1)) % 10007;
    printf("%ld %d %d\n", s, ends[0] == NULL, ends[1] == NULL);
    return 0;
}
