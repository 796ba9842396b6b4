// Left-leaning red-black tree: insertion, invariants, ordered traversal, lookup.
#include <stdio.h>
#include <stdlib.h>

typedef struct node { struct node *l, *r; int key, val; unsigned red : 1, mark : 3; } node;
static int rotations, flips;

static int red(const node *n) { return n && n->red; }
static node *left(node *h) { node *x = h->r; h->r = x->l; x->l = h; x->red = h->red; h->red = 1; rotations++; return x; }
static node *right(node *h) { node *x = h->l; h->l = x->r; x->r = h; x->red = h->red; h->red = 1; rotations++; return x; }
static void flip(node *h) { h->red = !h->red; h->l->red = !h->l->red; h->r->red = !h->r->red; flips++; }

static node *put(node *h, int k, int v)
{
    if (!h) {
        h = calloc(1, sizeof *h);
        h->key = k;
        h->val = v;
        h->red = 1;
        return h;
    }
    if (k < h->key) h->l = put(h->l, k, v);
    else if (k > h->key) h->r = put(h->r, k, v);
    else { h->val += v; h->mark++; }
    if (red(h->r) && !red(h->l)) h = left(h);
    if (red(h->l) && red(h->l->l)) h = right(h);
    if (red(h->l) && red(h->r)) flip(h);
    return h;
}

static int check(const node *h, int lo, int hi)
{
    if (!h) return 1;
    if (h->key <= lo || h->key >= hi || red(h->r) || (red(h) && red(h->l))) return -1000;
    int a = check(h->l, lo, h->key), b = check(h->r, h->key, hi);
    return a == b ? a + !h->red : -1000;
}
static void walk(const node *h, unsigned *s, int *n) { if (h) { walk(h->l, s, n); *s = *s * 31 + (unsigned)h->key + (unsigned)h->val * 7u + h->mark; ++*n; walk(h->r, s, n); } }
static int depth(const node *h) { if (!h) return 0; int a = depth(h->l), b = depth(h->r); return 1 + (a > b ? a : b); }
static void drop(node *h) { if (h) { drop(h->l); drop(h->r); free(h); } }
static const node *get(const node *h, int k) { while (h && h->key != k) h = k < h->key ? h->l : h->r; return h; }

int main(void)
{
    for (int mode = 0; mode < 3; mode++) {
        node *t = NULL;
        unsigned x = 17;
        for (int i = 0; i < 250; i++) {
            x = x * 1664525u + 1013904223u;
            t = put(t, mode == 0 ? i : mode == 1 ? 1000 - i * 2 : (int)(x >> 22), i);
            t->red = 0;
        }
        unsigned s = 0;
        int n = 0;
        walk(t, &s, &n);
        printf("mode %d: %d nodes, black height %d, depth %d, sum %u, rotations %d, flips %d\n", mode, n, check(t, -1, 1 << 30), depth(t), s, rotations, flips);
        printf("  %d %d\n", get(t, 200) ? get(t, 200)->val : -1, get(t, 2000) == NULL);
        drop(t);
    }
    return 0;
}
