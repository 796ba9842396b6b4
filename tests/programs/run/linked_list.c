// Singly linked lists with pointer-to-pointer insertion, reversal, merge sort and removal.
#include <stdio.h>
#include <stdlib.h>

struct node { int v; struct node *next; };
static int live;

static struct node *mk(int v, struct node *next) { struct node *n = malloc(sizeof *n); n->v = v; n->next = next; live++; return n; }

static void insert_sorted(struct node **pp, int v)
{
    while (*pp && (*pp)->v < v)
        pp = &(*pp)->next;
    *pp = mk(v, *pp);
}

static struct node *reverse(struct node *l)
{
    struct node *r = NULL;
    while (l) {
        struct node *n = l->next;
        l->next = r;
        r = l;
        l = n;
    }
    return r;
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node head, *t = &head;
    while (a && b) {
        struct node **m = a->v <= b->v ? &a : &b;
        t = t->next = *m;
        *m = (*m)->next;
    }
    t->next = a ? a : b;
    return head.next;
}

static struct node *sort(struct node *l)
{
    if (!l || !l->next)
        return l;
    struct node *slow = l, *fast = l->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *b = slow->next;
    slow->next = NULL;
    return merge(sort(l), sort(b));
}

static int remove_if(struct node **pp, int (*f)(int))
{
    int n = 0;
    while (*pp)
        if (f((*pp)->v)) {
            struct node *d = *pp;
            *pp = d->next;
            free(d);
            live--;
            n++;
        } else
            pp = &(*pp)->next;
    return n;
}
static int odd(int v) { return v & 1; }
static int any(int v) { (void)v; return 1; }
static void show(const struct node *l) { for (; l; l = l->next) printf("%d ", l->v); puts("."); }

int main(void)
{
    struct node *l = NULL;
    for (int i = 0; i < 15; i++)
        insert_sorted(&l, i * 7 % 15 - 5);
    show(l);
    show(l = reverse(l));
    for (int i = 0; i < 10; i++)
        l = mk(i * i % 23, l);
    show(l);
    show(l = sort(l));
    int gone = remove_if(&l, odd);
    printf("removed %d live %d\n", gone, live);
    show(l);
    struct node *slow = l, *fast = l;
    while (fast && fast->next) { slow = slow->next; fast = fast->next->next; }
    printf("middle %d\n", slow->v);
    remove_if(&l, any);
    printf("live %d %d\n", live, l == NULL);
    return live;
}
