// Designated initialisers: out of order, overriding, nested, ranges, with trailing elements.
#include <stdio.h>

struct in { int a; char s[6]; short t[3]; };
struct out { int id; struct in in[2]; union { int i; double d; char c[8]; } u; int last; };

enum { APPLE, PEAR, FIG, PLUM, FRUITS };
static const char *const names[FRUITS] = {[PLUM] = "plum", [APPLE] = "apple", [FIG] = "fig"};
static int table[] = {[5] = 50, 60, [2] = 20, 30, [0] = 1};
static int ranges[12] = {[0 ... 3] = 7, [6 ... 9] = 9, [10] = 88};
static struct out g = {
    .last = 99, .id = 1,
    .in[1] = {.s = "two", .t = {[2] = 22}},
    .in[0].t[1] = 11, .in[0].a = -1,
    .u.d = 2.5,
};

static void show(const struct out *o)
{
    printf("id %d last %d d %g\n", o->id, o->last, o->u.d);
    for (int i = 0; i < 2; i++)
        printf("  a %d s '%s' t %d %d %d\n", o->in[i].a, o->in[i].s, o->in[i].t[0], o->in[i].t[1], o->in[i].t[2]);
}

int main(void)
{
    for (int i = 0; i < FRUITS; i++)
        printf("%s ", names[i] ? names[i] : "(none)");
    puts("");
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        printf("%d ", table[i]);
    puts("");
    for (int i = 0; i < 12; i++)
        printf("%d ", ranges[i]);
    puts("");
    show(&g);
    int k = 5;
    struct out l = {.u = {.d = k * 0.5}, .in = {{k, "ab", {1, 2, k}}, {.t = {k}}}, .last = k * k, .id = -k};
    show(&l);
    struct out z = {0};
    show(&z);
    int m[3][4] = {[1] = {[2] = 5, 6}, [0][3] = 4, [2][0] = 8, 9};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            printf("%d%c", m[i][j], j == 3 ? '\n' : ' ');
    char text[8] = {[0] = 'a', [2] = 'c', [1] = 'b'};
    printf("%s\n", text);
    struct { int n; int *p; } self = {.p = &table[2], .n = 2};
    printf("%d\n", self.p[1] + self.n);
    return 0;
}
