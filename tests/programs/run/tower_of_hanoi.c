// Towers of Hanoi, recursive and iterative, with explicit stacks that must agree.
#include <stdio.h>

#define D 9
struct peg { signed char d[D]; int n; };
static struct peg pegs[3];
static unsigned long h;
static int moves, shown;

static void init(void)
{
    for (int i = 0; i < 3; i++)
        pegs[i].n = 0;
    for (int i = D; i > 0; i--)
        pegs[0].d[pegs[0].n++] = (signed char)i;
    h = 7;
    moves = 0;
}

static void move(int a, int b)
{
    int d = pegs[a].d[--pegs[a].n];
    if (pegs[b].n && pegs[b].d[pegs[b].n - 1] < d)
        puts("illegal");
    pegs[b].d[pegs[b].n++] = (signed char)d;
    h = h * 31 + (unsigned long)(a * 3 + b);
    moves++;
    if (shown < 12) {
        printf("%d:%c%c ", d, 'A' + a, 'A' + b);
        shown++;
    }
}

static void rec(int n, int a, int b, int c)
{
    if (!n)
        return;
    rec(n - 1, a, c, b);
    move(a, b);
    rec(n - 1, c, b, a);
}

static void either(int a, int b)
{
    int ta = pegs[a].n ? pegs[a].d[pegs[a].n - 1] : 99, tb = pegs[b].n ? pegs[b].d[pegs[b].n - 1] : 99;
    if (ta < tb) move(a, b); else move(b, a);
}

static void stack(void)
{
    struct frame { int n, a, b, c, st; } s[32];
    int sp = 0;
    s[sp++] = (struct frame){D, 0, 1, 2, 0};
    while (sp) {
        struct frame *f = &s[sp - 1];
        if (f->n == 0 || f->st == 2) { sp--; continue; }
        struct frame next = f->st == 0 ? (struct frame){f->n - 1, f->a, f->c, f->b, 0} : (struct frame){f->n - 1, f->c, f->b, f->a, 0};
        if (f->st == 1) move(f->a, f->b);
        f->st++;
        s[sp++] = next;
    }
}

int main(void)
{
    init();
    rec(D, 0, 1, 2);
    printf("\nrecursive %d %lu %d\n", moves, h, pegs[1].n);
    init();
    stack();
    printf("stack %d %lu %d\n", moves, h, pegs[1].n);
    init();
    for (int i = 1; i < 1 << D; i++)
        either(i % 3 == 2 ? 0 : i % 3 == 0 ? 1 : 0, i % 3 == 1 ? 1 : 2);
    printf("iterative %d %lu %d\n", moves, h, pegs[1].n);
    return pegs[1].n;
}
