// container_of through offsetof: intrusive lists and trees of heterogeneous objects.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define container_of(P, T, M) ((T *)((char *)(P) - offsetof(T, M)))

struct link { struct link *next, *prev; };
static void init(struct link *l) { l->next = l->prev = l; }
static void add_tail(struct link *h, struct link *n) { n->prev = h->prev; n->next = h; h->prev->next = n; h->prev = n; }
static void del(struct link *n) { n->prev->next = n->next; n->next->prev = n->prev; init(n); }

struct shape { const char *name; double (*area)(const struct shape *); struct link all; };
struct circle { int id; struct shape s; double r; };
struct rect { double w, h; struct shape s; struct link rects; };

static double circle_area(const struct shape *s) { const struct circle *c = container_of(s, struct circle, s); return 3 * c->r * c->r; }
static double rect_area(const struct shape *s) { const struct rect *r = container_of(s, struct rect, s); return r->w * r->h; }

static struct link all, rects;

static struct circle *mk_circle(int id, double r)
{
    struct circle *c = malloc(sizeof *c);
    *c = (struct circle){id, {"circle", circle_area, {0, 0}}, r};
    add_tail(&all, &c->s.all);
    return c;
}
static struct rect *mk_rect(double w, double h)
{
    struct rect *r = malloc(sizeof *r);
    *r = (struct rect){w, h, {"rect", rect_area, {0, 0}}, {0, 0}};
    add_tail(&all, &r->s.all);
    add_tail(&rects, &r->rects);
    return r;
}

static double total(void)
{
    double t = 0;
    for (struct link *l = all.next; l != &all; l = l->next) {
        struct shape *s = container_of(l, struct shape, all);
        double a = s->area(s);
        printf("%s %g; ", s->name, a);
        t += a;
    }
    printf("= %g\n", t);
    return t;
}

int main(void)
{
    init(&all);
    init(&rects);
    struct circle *c = mk_circle(7, 1.5);
    mk_rect(2, 3);
    struct rect *r = mk_rect(4, 0.5);
    mk_circle(8, 2);
    mk_rect(10, 10);
    total();
    for (struct link *l = rects.prev; l != &rects; l = l->prev)
        container_of(l, struct rect, rects)->w += 1;
    del(&r->rects);
    del(&r->s.all);
    free(r);
    del(&c->s.all);
    free(c);
    total();
    while (all.next != &all) {
        struct shape *s = container_of(all.next, struct shape, all);
        del(&s->all);
        if (s->area == circle_area) free(container_of(s, struct circle, s));
        else free(container_of(s, struct rect, s));
    }
    total();
    return 0;
}
