// Functions returning functions, arrays of pointers to them, callbacks with context, dispatch in structs.
#include <stdio.h>
#include <stdlib.h>

typedef int (*op)(int);
typedef op (*maker)(int);
static int inc(int x) { return x + 1; }
static int dbl(int x) { return x * 2; }
static int neg(int x) { return -x; }
static op by_parity(int k) { return k & 1 ? inc : dbl; }
static op by_sign(int k) { return k < 0 ? neg : inc; }
static maker choose(int k) { return k ? by_parity : by_sign; }

struct closure { int (*fn)(struct closure *, int); int env[3]; struct closure *next; };
static int addk(struct closure *c, int x) { return x + c->env[0]; }
static int affine(struct closure *c, int x) { return x * c->env[0] + c->env[1]; }
static int counted(struct closure *c, int x) { c->env[2]++; return x ^ c->env[2]; }
static int run(struct closure *c, int x) { for (; c; c = c->next) x = c->fn(c, x); return x; }

struct vt { const char *name; double (*area)(const void *); void (*scale)(void *, double); };
struct sq { const struct vt *vt; double s; };
struct ci { const struct vt *vt; double r; };
static double sq_area(const void *p) { const struct sq *s = p; return s->s * s->s; }
static void sq_scale(void *p, double k) { ((struct sq *)p)->s *= k; }
static double ci_area(const void *p) { const struct ci *c = p; return 3.25 * c->r * c->r; }
static void ci_scale(void *p, double k) { ((struct ci *)p)->r *= k; }
static const struct vt sq_vt = {"square", sq_area, sq_scale}, ci_vt = {"circle", ci_area, ci_scale};

static void each(const int *a, int n, void (*f)(int, void *), void *ctx) { for (int i = 0; i < n; i++) f(a[i], ctx); }
static void accumulate(int v, void *ctx) { long *t = ctx; t[0] += v; t[1] = t[1] * 3 + v; }

int main(void)
{
    printf("%d %d %d\n", choose(1)(3)(10), choose(1)(4)(10), choose(0)(-1)(10));
    op (*(*table[2])(int))(int) = {choose, choose};
    int v = 1;
    for (int i = -5; i < 6; i++)
        v = table[i & 1](i & 2)(i)(v);
    printf("%d\n", v);
    struct closure c = {counted, {0, 0, 0}, NULL}, b = {affine, {3, -1, 0}, &c}, a = {addk, {100, 0, 0}, &b};
    for (int i = 0; i < 5; i++)
        printf("%d ", run(&a, i));
    printf("count %d\n", c.env[2]);
    struct sq s = {&sq_vt, 2};
    struct ci k = {&ci_vt, 1.5};
    const struct vt **objs[] = {(const struct vt **)&s, (const struct vt **)&k};
    for (int i = 0; i < 4; i++) {
        const struct vt **o = objs[i % 2];
        (*o)->scale(o, 1.5);
        printf("%s %g ", (*o)->name, (*o)->area(o));
    }
    puts("");
    long t[2] = {0, 0};
    int arr[] = {4, 8, 15, 16, 23, 42};
    each(arr, 6, accumulate, t);
    printf("%ld %ld\n", t[0], t[1]);
    return 0;
}
