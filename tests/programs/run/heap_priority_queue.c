// Binary heap as a priority queue with a comparison callback; heap sort in place.
#include <stdio.h>
#include <string.h>

struct task { int prio; unsigned seq; char name[8]; };
struct heap { struct task t[256]; int n; int (*before)(const struct task *, const struct task *); };

static int low_first(const struct task *a, const struct task *b) { return a->prio != b->prio ? a->prio < b->prio : a->seq < b->seq; }
static int name_last(const struct task *a, const struct task *b) { int c = strcmp(a->name, b->name); return c ? c > 0 : a->seq < b->seq; }

static void push(struct heap *h, struct task t)
{
    int i = h->n++;
    while (i > 0 && h->before(&t, &h->t[(i - 1) / 2])) {
        h->t[i] = h->t[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->t[i] = t;
}

static struct task pop(struct heap *h)
{
    struct task top = h->t[0], last = h->t[--h->n];
    int i = 0, c;
    while ((c = 2 * i + 1) < h->n) {
        if (c + 1 < h->n && h->before(&h->t[c + 1], &h->t[c]))
            c++;
        if (!h->before(&h->t[c], &last))
            break;
        h->t[i] = h->t[c];
        i = c;
    }
    h->t[i] = last;
    return top;
}

static void sift(int *a, int i, int n)
{
    for (int c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && a[c + 1] > a[c]) c++;
        if (a[i] >= a[c]) return;
        int t = a[i]; a[i] = a[c]; a[c] = t;
    }
}

int main(void)
{
    static struct heap h;
    for (int mode = 0; mode < 2; mode++) {
        h.n = 0;
        h.before = mode ? name_last : low_first;
        unsigned x = 7, sum = 0;
        for (unsigned i = 0; i < 120; i++) {
            x = x * 1103515245 + 12345;
            struct task t = {(int)(x >> 16) % 40 - 20, i, ""};
            snprintf(t.name, sizeof t.name, "t%u", x >> 20 & 63);
            push(&h, t);
            if (i % 4 == 3) sum = sum * 31 + pop(&h).seq;
        }
        for (int i = 0; i < 5; i++) { struct task t = pop(&h); printf("%d:%s:%u ", t.prio, t.name, t.seq); }
        while (h.n) sum = sum * 31 + pop(&h).seq;
        printf("%u\n", sum);
    }
    int a[100];
    for (int i = 0; i < 100; i++) a[i] = (i * 67 + 13) % 101 - 50;
    for (int i = 49; i >= 0; i--) sift(a, i, 100);
    for (int n = 99; n > 0; n--) { int t = a[0]; a[0] = a[n]; a[n] = t; sift(a, 0, n); }
    int ok = 1;
    for (int i = 1; i < 100; i++) ok &= a[i - 1] <= a[i];
    printf("heap sort %d %d %d\n", ok, a[0], a[99]);
    return 0;
}
