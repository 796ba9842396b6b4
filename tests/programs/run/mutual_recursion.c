// Mutually recursive functions: parity, Hofstadter sequences, a tiny grammar recogniser.
#include <stdio.h>

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int male(int n);
static int female(int n) { return n == 0 ? 1 : n - male(female(n - 1)); }
static int male(int n) { return n == 0 ? 0 : n - female(male(n - 1)); }

/* S = A 'c' ; A = 'a' B | eps ; B = 'b' A */
static const char *p;
static int B(void);
static int A(void) { if (*p == 'a') { p++; return B(); } return 1; }
static int B(void) { if (*p == 'b') { p++; return A(); } return 0; }
static int S(const char *s) { p = s; return A() && *p == 'c' && p[1] == 0; }

struct expr { char op; int val; const struct expr *l, *r; };
static long eval(const struct expr *e);
static long binary(const struct expr *e, long (*f)(long, long)) { return f(eval(e->l), eval(e->r)); }
static long fadd(long a, long b) { return a + b; }
static long fmul(long a, long b) { return a * b; }
static long fsub(long a, long b) { return a - b; }
static long eval(const struct expr *e)
{
    switch (e->op) {
    case '+': return binary(e, fadd);
    case '*': return binary(e, fmul);
    case '-': return binary(e, fsub);
    default: return e->val;
    }
}

int main(void)
{
    printf("%d %d %d %d\n", is_even(10), is_even(777), is_odd(2001), is_odd(0));
    for (int i = 0; i <= 20; i++)
        printf("%d:%d ", female(i), male(i));
    puts("");
    const char *t[] = {"c", "abc", "ababababc", "ac", "abac", "abcc", "", "bac"};
    for (int i = 0; i < 8; i++)
        printf("%s:%d ", t[i], S(t[i]));
    puts("");
    struct expr a = {'n', 7, 0, 0}, b = {'n', -3, 0, 0}, c = {'*', 0, &a, &b}, d = {'-', 0, &c, &a}, e = {'+', 0, &d, &d}, f = {'*', 0, &e, &e};
    printf("%ld %ld %ld\n", eval(&c), eval(&d), eval(&f));
    return 0;
}
