// Constant tables: relocations to strings, to other tables, to functions; nested constant aggregates.
#include <stdio.h>
#include <string.h>

static int add1(int x) { return x + 1; }
static int tri(int x) { return x * 3; }

static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
static const signed char deltas[16] = {-128, -1, 0, 1, 127};
static const double coef[2][3] = {{1.5, -2.25, 0.125}, {1e10, -1e-10, 3}};
static const struct op { char name[5]; int (*fn)(int); const char *const *names; const double *row; int idx; } ops[] = {
    {"add1", add1, months + 3, coef[1], 2},
    {"tri", tri, &months[6], coef[0] + 1, 1},
};
static const int *const ptrs[] = {(const int[]){1, 2, 3}, &(const int){42}, NULL};
static const struct node { int v; const struct node *l, *r; } leaf1 = {1, 0, 0}, leaf2 = {3, 0, 0}, root = {2, &leaf1, &leaf2};
static const unsigned char bits[] = "\x00\x01\x03\x07\x0f\x1f\x3f\x7f\xff";
static const char grid[3][4] = {"abc", "def", "ghi"};
static const union { float f; unsigned u; } one = {1.0f};
static const char *const self_end = (const char *)bits + sizeof bits;
extern const int external;
const int external = 12345;

static int walk(const struct node *n) { return n ? walk(n->l) * 10 + n->v + walk(n->r) * 100 : 0; }

int main(void)
{
    unsigned h = 0;
    for (int i = 0; i < 12; i++)
        h = h * 31 + (unsigned char)months[i][i % 3];
    printf("%u\n", h);
    int s = 0;
    for (int i = 0; i < 16; i++)
        s += deltas[i] * (i + 1);
    printf("%d\n", s);
    for (int i = 0; i < 2; i++)
        printf("%s %d %s %g %g\n", ops[i].name, ops[i].fn(10), ops[i].names[ops[i].idx], ops[i].row[0], ops[i].row[1]);
    printf("%d %d %d\n", ptrs[0][2], *ptrs[1], ptrs[2] == NULL);
    printf("%d\n", walk(&root));
    int pop = 0;
    for (unsigned i = 0; i < sizeof bits - 1; i++)
        pop = pop * 2 + __builtin_popcount(bits[i]);
    printf("%d %td\n", pop, self_end - (const char *)bits);
    printf("%c%c%c %zu\n", grid[0][0], grid[1][1], grid[2][2], sizeof grid);
    printf("%x %d\n", one.u, external);
    const char *const *p = months;
    while (strcmp(*p, "Jun"))
        p++;
    printf("%td\n", p - months);
    return 0;
}
