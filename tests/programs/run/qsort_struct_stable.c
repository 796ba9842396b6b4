// qsort on ints, doubles, strings and structures (with a tie-breaking key), and bsearch.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rec { char name[6]; int age; unsigned seq; };

static int cmp_int(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int cmp_rev(const void *a, const void *b) { return cmp_int(b, a); }
static int cmp_dbl(const void *a, const void *b) { double x = *(const double *)a, y = *(const double *)b; return x < y ? -1 : x > y; }
static int cmp_str(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int cmp_rec(const void *a, const void *b)
{
    const struct rec *x = a, *y = b;
    if (x->age != y->age)
        return x->age - y->age;
    int c = strcmp(x->name, y->name);
    return c ? c : (x->seq > y->seq) - (x->seq < y->seq);
}
static int key_age(const void *k, const void *e) { return *(const int *)k - ((const struct rec *)e)->age; }

int main(void)
{
    int a[200];
    unsigned x = 9;
    for (int i = 0; i < 200; i++)
        a[i] = (int)((x = x * 1103515245u + 12345u) >> 20) - 2048;
    qsort(a, 200, sizeof *a, cmp_int);
    int ok = 1;
    for (int i = 1; i < 200; i++)
        ok &= a[i - 1] <= a[i];
    printf("%d %d %d %d\n", ok, a[0], a[100], a[199]);
    qsort(a, 199, sizeof *a, cmp_rev);
    printf("%d %d %d\n", a[0], a[198], a[199]);
    double d[] = {3.5, -1e300, 0, 2, 1e-300, -7, 1e300};
    qsort(d, 7, sizeof *d, cmp_dbl);
    for (int i = 0; i < 7; i++)
        printf("%g ", d[i]);
    puts("");
    const char *w[] = {"pear", "apple", "fig", "banana", "", "apple pie", "Zoo"};
    qsort(w, 7, sizeof *w, cmp_str);
    for (int i = 0; i < 7; i++)
        printf("'%s' ", w[i]);
    puts("");
    struct rec r[60];
    for (unsigned i = 0; i < 60; i++) {
        r[i].seq = i;
        r[i].age = (int)((x = x * 69069u + 1) >> 28);
        snprintf(r[i].name, sizeof r[i].name, "n%u", x >> 16 & 3);
    }
    qsort(r, 60, sizeof *r, cmp_rec);
    unsigned h = 0;
    for (int i = 0; i < 60; i++)
        h = h * 61 + r[i].seq;
    printf("%u first %s/%d/%u last %s/%d/%u\n", h, r[0].name, r[0].age, r[0].seq, r[59].name, r[59].age, r[59].seq);
    int k = r[30].age, none = 99;
    struct rec *f = bsearch(&k, r, 60, sizeof *r, key_age);
    printf("%d %d\n", f && f->age == k, bsearch(&none, r, 60, sizeof *r, key_age) == NULL);
    qsort(a, 1, sizeof *a, cmp_int);
    qsort(a, 0, sizeof *a, cmp_int);
    return 0;
}
