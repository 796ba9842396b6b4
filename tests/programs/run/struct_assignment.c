// Structure assignment: padding-safe copies, overlapping-free chains, arrays inside, self-assignment, through pointers.
#include <stdio.h>
#include <string.h>

struct inner { char tag; double d; short s[3]; };
struct outer { int id; struct inner in[2]; char name[7]; struct outer *link; };

static void show(const char *t, const struct outer *o)
{
    printf("%s: %d %c %g %d %c %g %d %s %d\n", t, o->id, o->in[0].tag, o->in[0].d, o->in[0].s[2], o->in[1].tag, o->in[1].d, o->in[1].s[0], o->name, o->link ? o->link->id : -1);
}

static struct outer mk(int id)
{
    struct outer o = {id, {{(char)('a' + id), id * 1.5, {1, 2, (short)id}}, {(char)('A' + id), -id * 0.25, {(short)(id * 100), 0, 0}}}, "", NULL};
    snprintf(o.name, sizeof o.name, "obj%d", id);
    return o;
}

static void swap(struct outer *a, struct outer *b) { struct outer t = *a; *a = *b; *b = t; }

int main(void)
{
    struct outer a = mk(1), b = mk(2), c;
    c = a;
    c.id = 30;
    c.in[1] = b.in[0];
    a.link = &c;
    show("a", &a);
    show("c", &c);
    struct outer *same = &a;
    a = *same;
    show("a", &a);
    swap(&a, &b);
    show("a", &a);
    show("b", &b);
    struct outer arr[5];
    for (int i = 0; i < 5; i++) {
        arr[i] = mk(i + 5);
        arr[i].link = i ? &arr[i - 1] : NULL;
    }
    arr[0] = arr[1] = arr[4];
    for (int i = 0; i < 5; i++)
        show("arr", &arr[i]);
    struct inner *p = &arr[2].in[0], *q = &arr[3].in[1];
    *p = *q;
    p->s[1] = 77;
    printf("%c %d %d\n", arr[2].in[0].tag, arr[2].in[0].s[1], arr[3].in[1].s[1]);
    struct { int v[50]; } big1, big2;
    for (int i = 0; i < 50; i++)
        big1.v[i] = i * i;
    big2 = big1;
    big1.v[49] = 0;
    printf("%d %d %d\n", big2.v[49], memcmp(&big1, &big2, 49 * sizeof(int)), big1.v[49]);
    struct empty { char none[1]; } e1 = {{'x'}}, e2 = e1;
    printf("%c\n", e2.none[0]);
    volatile struct inner v = {'v', 2.5, {1, 2, 3}};
    struct inner w = v;
    v = (struct inner){'w', w.d * 2, {9, 8, 7}};
    printf("%c %g %d %c %d\n", w.tag, v.d, v.s[2], v.tag, w.s[0]);
    struct outer *ptr = &arr[4];
    *ptr = (struct outer){.id = ptr->id + 1, .name = "fresh"};
    show("new", ptr);
    return 0;
}
