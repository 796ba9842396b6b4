// Functions returning structures used directly: member access, nesting, arrays in rvalues.
#include <stdio.h>

struct vec { int x, y; };
struct text { char s[24]; int len; };
struct pair { struct vec a, b; };

static struct vec v(int x, int y) { return (struct vec){x, y}; }
static struct vec add(struct vec a, struct vec b) { return v(a.x + b.x, a.y + b.y); }
static struct vec rot(struct vec a) { return v(-a.y, a.x); }
static struct vec scale(struct vec a, int k) { a.x *= k; a.y *= k; return a; }
static int dot(struct vec a, struct vec b) { return a.x * b.x + a.y * b.y; }
static struct pair both(struct vec a) { return (struct pair){a, rot(a)}; }
static struct text put(struct text t, char c) { if (t.len < 23) { t.s[t.len++] = c; t.s[t.len] = 0; } return t; }
static struct text empty(void) { return (struct text){"", 0}; }
static struct text rep(struct text t, char c, int n) { return n ? rep(put(t, c), c, n - 1) : t; }

struct node { int depth; struct vec at; };
static struct node walk(struct node n)
{
    if (n.depth == 0)
        return n;
    n.depth--;
    n.at = add(scale(n.at, 2), rot(v(n.depth, 1)));
    return walk(n);
}

int main(void)
{
    printf("%d %d\n", add(v(1, 2), rot(v(3, 4))).x, add(v(1, 2), rot(v(3, 4))).y);
    printf("%d\n", dot(scale(rot(add(v(5, 6), v(7, 8))), 3), both(v(2, -9)).b));
    printf("%s|\n", put(put(put(empty(), 'a'), 'b'), 'c').s);
    printf("%s %d\n", rep(rep(empty(), '-', 5), '=', 7).s, rep(empty(), 'x', 99).len);
    printf("%c\n", rep(empty(), 'q', 3).s[2]);
    struct node n = walk((struct node){12, {1, 1}});
    printf("%d %d %d\n", n.depth, n.at.x, n.at.y);
    struct vec acc = {0, 0};
    for (int i = 0; i < 50; i++) {
        acc = add(i % 3 ? rot(acc) : acc, both(v(i, -i)).b);
        struct vec t;
        acc = (t = acc, t.x ^= 1, t);
    }
    printf("%d %d\n", acc.x, acc.y);
    struct pair p, q;
    p = q = both(v(8, 9));
    printf("%d %d %d\n", p.a.x, p.b.x, q.b.y);
    return both(v(1, 2)).b.y;
}
