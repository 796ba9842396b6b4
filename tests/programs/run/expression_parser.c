// Recursive-descent evaluation of arithmetic expressions with precedence, errors and functions.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *p, *err;
static double expr(void);

static void skip(void) { while (isspace((unsigned char)*p)) p++; }
static int eat(char c) { skip(); if (*p == c) { p++; return 1; } return 0; }
static void fail(const char *m) { if (!err) err = m; }

static double primary(void)
{
    skip();
    if (eat('(')) {
        double v = expr();
        if (!eat(')')) fail("expected )");
        return v;
    }
    if (isdigit((unsigned char)*p) || *p == '.') {
        char *e;
        double v = strtod(p, &e);
        p = e;
        return v;
    }
    if (isalpha((unsigned char)*p)) {
        char name[8];
        size_t n = 0;
        while (isalpha((unsigned char)*p)) { if (n < 7) name[n++] = *p; p++; }
        name[n] = 0;
        if (!strcmp(name, "pi")) return 3.141592653589793;
        double v = primary();
        if (!strcmp(name, "sqrt")) return sqrt(v);
        if (!strcmp(name, "abs")) return fabs(v);
        if (!strcmp(name, "floor")) return floor(v);
        fail("unknown name");
        return 0;
    }
    fail(*p ? "unexpected character" : "unexpected end");
    return 0;
}

static double unary(void);
static double power(void)
{
    double b = primary();
    if (eat('^')) {
        int e = (int)unary();
        double r = 1;
        for (int i = 0; i < abs(e); i++) r *= b;
        return e < 0 ? 1 / r : r;
    }
    return b;
}
static double unary(void) { if (eat('-')) return -unary(); if (eat('+')) return unary(); return power(); }
static double term(void)
{
    double v = unary();
    for (;;) {
        if (eat('*')) v *= unary();
        else if (eat('/')) { double d = unary(); if (d == 0) { fail("division by zero"); d = 1; } v /= d; }
        else return v;
    }
}
static double expr(void)
{
    double v = term();
    for (;;) { if (eat('+')) v += term(); else if (eat('-')) v -= term(); else return v; }
}

int main(void)
{
    const char *t[] = {"1+2*3", "(1+2)*3", "2^3^2", "-2^2", "10/4-1", "8-3-2", "2*-3", "sqrt(16)+abs(0-5)", "floor 2.7 * 2",
                       "2^-2", "((((7))))", "1.5e3/.5", "pi*2", "1+", "(1", "1/0", "foo(2)", "2 $ 3", "1 - - 1", "100/7/3"};
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
        p = t[i];
        err = NULL;
        double v = expr();
        skip();
        if (*p) fail("trailing text");
        if (err) printf("%-20s error: %s at %d\n", t[i], err, (int)(p - t[i]));
        else printf("%-20s = %.10g\n", t[i], v);
    }
    return 0;
}
