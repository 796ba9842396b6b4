// A bump allocator with alignment, marks and release; nodes of a binary tree live in it.
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chunk { struct chunk *prev; size_t used, size; alignas(16) unsigned char mem[]; };
struct arena { struct chunk *top; int chunks; size_t total; };
struct mark { struct chunk *c; size_t used; };

static void *alloc(struct arena *a, size_t n, size_t al)
{
    struct chunk *c = a->top;
    size_t at = c ? (c->used + al - 1) & ~(al - 1) : 0;
    if (!c || at + n > c->size) {
        size_t size = n > 256 ? n : 256;
        c = malloc(sizeof *c + size);
        c->prev = a->top;
        c->size = size;
        a->top = c;
        a->chunks++;
        at = 0;
    }
    c->used = at + n;
    a->total += n;
    return c->mem + at;
}
#define NEW(A, T) ((T *)alloc((A), sizeof(T), alignof(T)))

static struct mark save(struct arena *a) { return (struct mark){a->top, a->top ? a->top->used : 0}; }
static void release(struct arena *a, struct mark m)
{
    while (a->top != m.c) { struct chunk *p = a->top->prev; free(a->top); a->top = p; a->chunks--; }
    if (a->top) a->top->used = m.used;
}
static char *dup(struct arena *a, const char *s) { size_t n = strlen(s) + 1; return memcpy(alloc(a, n, 1), s, n); }

struct node { struct node *l, *r; double key; char *name; };
static struct node *put(struct arena *a, struct node *t, double k)
{
    if (!t) {
        char b[24];
        snprintf(b, sizeof b, "n%.2f", k);
        t = NEW(a, struct node);
        *t = (struct node){NULL, NULL, k, dup(a, b)};
    } else if (k < t->key) t->l = put(a, t->l, k);
    else t->r = put(a, t->r, k);
    return t;
}
static void walk(const struct node *t, int *n) { if (t) { walk(t->l, n); if ((*n)++ % 8 == 0) printf("%s ", t->name); walk(t->r, n); } }

int main(void)
{
    struct arena a = {0};
    struct node *t = NULL;
    unsigned x = 5;
    for (int i = 0; i < 60; i++)
        t = put(&a, t, (double)((x = x * 1103515245u + 12345u) >> 16) / 100);
    struct mark m = save(&a);
    int aligned = 1;
    for (int i = 1; i < 50; i++) {
        char *c = alloc(&a, (size_t)i * 3, 1);
        memset(c, i, (size_t)i * 3);
        double *d = NEW(&a, double);
        *d = i;
        aligned &= (uintptr_t)d % alignof(double) == 0;
    }
    printf("chunks %d total %zu aligned %d\n", a.chunks, a.total, aligned);
    release(&a, m);
    int n = 0;
    walk(t, &n);
    printf("\nchunks %d nodes %d used %zu\n", a.chunks, n, a.top->used);
    release(&a, (struct mark){0});
    return a.chunks;
}
