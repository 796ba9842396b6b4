// Tables of function pointers, pointers to pointers to functions, functions returning them.
#include <stdio.h>
#include <string.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int maxi(int a, int b) { return a > b ? a : b; }

typedef int (*binop)(int, int);
static const struct { const char *name; binop f; int unit; } table[] = {
    {"add", add, 0}, {"sub", sub, 0}, {"mul", mul, 1}, {"max", maxi, -1000},
};
#define N (sizeof table / sizeof *table)

static binop lookup(const char *name)
{
    for (unsigned i = 0; i < N; i++)
        if (!strcmp(table[i].name, name))
            return table[i].f;
    return NULL;
}

static int fold(binop f, int init, const int *a, int n)
{
    while (n-- > 0)
        init = (*f)(init, *a++);
    return init;
}

/* a function taking int and returning pointer to function */
static int (*pick(int k))(int, int) { return k & 1 ? sub : (k & 2 ? mul : add); }

static double apply_d(double (*f)(double), double x) { return (***f)(x); }
static double half(double x) { return x / 2; }
static double sqr(double x) { return x * x; }

int main(void)
{
    int a[] = {3, 9, -4, 12, 7};
    for (unsigned i = 0; i < N; i++)
        printf("%s: %d\n", table[i].name, fold(table[i].f, table[i].unit, a, 5));
    printf("%d %d\n", lookup("mul")(6, 7), lookup("nope") == NULL);
    for (int k = 0; k < 4; k++)
        printf("pick %d: %d\n", k, pick(k)(10, 4));
    binop local[3] = {add, &sub, *mul};
    binop *pp = local;
    int v = 1;
    for (int i = 0; i < 9; i++) {
        v = pp[i % 3](v, i + 2);
        printf("%d ", v);
    }
    puts("");
    printf("%g %g\n", apply_d(half, 5), apply_d(sqr, 1.5));
    int (*(*chooser)(int))(int, int) = pick;
    printf("%d %d\n", chooser(1)(5, 6), chooser == pick);
    printf("%d %d %d\n", local[0] == add, local[0] != sub, !local[2]);
    size_t (*len)(const char *) = strlen;
    printf("%zu\n", len("library function through pointer"));
    return 0;
}
