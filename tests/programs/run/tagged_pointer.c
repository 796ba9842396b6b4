// Low-bit tagging of aligned pointers: a value type holding small integers or heap objects.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uintptr_t value;
struct cons { value car, cdr; };
struct num { double d; };
enum { T_INT = 1, T_CONS = 2, T_NUM = 4, MASK = 7 };

static int allocated;
static value mkint(intptr_t i) { return (value)i << 3 | T_INT; }
static intptr_t toint(value v) { return (intptr_t)v >> 3; }
static value mkcons(value a, value d) { struct cons *c = malloc(sizeof *c); c->car = a; c->cdr = d; allocated++; return (value)c | T_CONS; }
static struct cons *tocons(value v) { return (struct cons *)(v & ~(value)MASK); }
static value mknum(double d) { struct num *n = malloc(sizeof *n); n->d = d; allocated++; return (value)n + T_NUM; }
static struct num *tonum(value v) { return (struct num *)(v - T_NUM); }

static void print(value v)
{
    switch (v & MASK) {
    case T_INT: printf("%ld", (long)toint(v)); break;
    case T_NUM: printf("%g", tonum(v)->d); break;
    case T_CONS:
        putchar('(');
        print(tocons(v)->car);
        for (v = tocons(v)->cdr; (v & MASK) == T_CONS; v = tocons(v)->cdr) { putchar(' '); print(tocons(v)->car); }
        if (v) { printf(" . "); print(v); }
        putchar(')');
        break;
    default: printf("nil");
    }
}

static double sum(value v)
{
    switch (v & MASK) {
    case T_INT: return (double)toint(v);
    case T_NUM: return tonum(v)->d;
    case T_CONS: return sum(tocons(v)->car) + sum(tocons(v)->cdr);
    }
    return 0;
}

static void release(value v)
{
    if ((v & MASK) == T_CONS) { struct cons *c = tocons(v); release(c->car); release(c->cdr); free(c); allocated--; }
    else if ((v & MASK) == T_NUM) { free(tonum(v)); allocated--; }
}

int main(void)
{
    value l = 0;
    for (int i = 10; i > 0; i--)
        l = mkcons(i % 3 ? mkint(i * -1000) : mknum(i / 4.0), l);
    l = mkcons(mkcons(mkint(1), mkint(2)), l);
    l = mkcons(0, mkcons(mkint(((intptr_t)1 << 60) - 1), l));
    print(l);
    printf("\nsum %.6g cells %d\n", sum(l), allocated);
    release(l);
    printf("left %d %ld\n", allocated, (long)toint(mkint(-1)));
    struct cons c = {mkint(5), 0}, *p = &c;
    uintptr_t u = (uintptr_t)p;
    u |= 1;
    u ^= 1;
    printf("%d %ld\n", (struct cons *)u == p, (long)toint(((struct cons *)u)->car));
    return 0;
}
