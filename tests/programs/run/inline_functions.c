// C99 inline: static inline, extern inline definitions, inline with recursion and pointers.
#include <stdio.h>

static inline int sq(int x) { return x * x; }
inline int cube(int x) { return x * x * x; }
extern inline int cube(int x);
static inline __attribute__((always_inline)) unsigned mix(unsigned h, unsigned v) { return (h ^ v) * 16777619u; }
static __attribute__((noinline)) int opaque(int x) { return x + 1; }
static inline int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }

struct pt { int x, y; };
static inline struct pt move(struct pt p, int dx, int dy) { p.x += dx; p.y += dy; return p; }
static inline int dist1(const struct pt *a, const struct pt *b)
{
    int dx = a->x - b->x, dy = a->y - b->y;
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
}

static inline int counter(void) { static int n; return ++n; }
static int apply(int (*f)(int), int x) { return f(x); }

int main(void)
{
    printf("%d %d %d\n", sq(12), cube(-3), fact(10));
    printf("%d %d %d\n", apply(sq, 5), apply(cube, 5), apply(opaque, 5));
    unsigned h = 2166136261u;
    for (unsigned i = 0; i < 100; i++)
        h = mix(h, i * i);
    printf("%u\n", h);
    struct pt p = {0, 0}, q;
    q = move(move(p, 3, 4), -10, 20);
    printf("%d %d %d %d\n", q.x, q.y, p.x, dist1(&p, &q));
    counter();
    counter();
    printf("%d\n", counter());
    int (*fs[])(int) = {sq, cube, opaque, fact};
    int t = 0;
    for (int i = 0; i < 40; i++)
        t += fs[i % 4](i % 9);
    printf("%d %d\n", t, fs[1] == cube);
    return 0;
}
