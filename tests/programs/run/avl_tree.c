// AVL tree: insertion, deletion, rotations, balance check, in-order walk.
#include <stdio.h>
#include <stdlib.h>

typedef struct node { int key, h; struct node *l, *r; } node;
static int rotations;

static int ht(const node *t) { return t ? t->h : 0; }
static void fix(node *t) { t->h = 1 + (ht(t->l) > ht(t->r) ? ht(t->l) : ht(t->r)); }
static node *right(node *t) { node *x = t->l; t->l = x->r; x->r = t; fix(t); fix(x); rotations++; return x; }
static node *left(node *t) { node *x = t->r; t->r = x->l; x->l = t; fix(t); fix(x); rotations++; return x; }

static node *bal(node *t)
{
    fix(t);
    int d = ht(t->l) - ht(t->r);
    if (d > 1) {
        if (ht(t->l->l) < ht(t->l->r))
            t->l = left(t->l);
        return right(t);
    }
    if (d < -1) {
        if (ht(t->r->r) < ht(t->r->l))
            t->r = right(t->r);
        return left(t);
    }
    return t;
}

static node *add(node *t, int k)
{
    if (!t) {
        t = malloc(sizeof *t);
        *t = (node){k, 1, NULL, NULL};
        return t;
    }
    if (k < t->key) t->l = add(t->l, k);
    else if (k > t->key) t->r = add(t->r, k);
    return bal(t);
}

static node *pop_min(node *t, int *k)
{
    if (!t->l) { node *r = t->r; *k = t->key; free(t); return r; }
    t->l = pop_min(t->l, k);
    return bal(t);
}

static node *del(node *t, int k)
{
    if (!t) return NULL;
    if (k < t->key) t->l = del(t->l, k);
    else if (k > t->key) t->r = del(t->r, k);
    else if (!t->r) { node *l = t->l; free(t); return l; }
    else t->r = pop_min(t->r, &t->key);
    return bal(t);
}

static int check(const node *t, int lo, int hi, unsigned *sum)
{
    if (!t) return 0;
    if (t->key <= lo || t->key >= hi || abs(ht(t->l) - ht(t->r)) > 1) puts("broken");
    int n = check(t->l, lo, t->key, sum);
    *sum = *sum * 31 + (unsigned)t->key;
    return n + 1 + check(t->r, t->key, hi, sum);
}

int main(void)
{
    node *t = NULL;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 200; i++)
            t = add(t, round == 0 ? i : (i * 7919 + round * 13) % 1009);
        for (int i = 0; i < 150; i++)
            t = del(t, i * 3 + round);
        unsigned sum = 0;
        int n = check(t, -1, 1 << 20, &sum);
        printf("round %d: %d nodes height %d root %d sum %u rotations %d\n", round, n, ht(t), t->key, sum, rotations);
    }
    int k, last = -1, ordered = 1, n = 0;
    while (t) {
        t = pop_min(t, &k);
        ordered &= k > last;
        last = k;
        n++;
    }
    printf("drained %d ordered %d last %d\n", n, ordered, last);
    return 0;
}
