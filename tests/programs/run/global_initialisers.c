// Global objects: tentative definitions, initialised with addresses and constant expressions, zero-filled.
#include <stddef.h>
#include <stdio.h>

int tentative;
int tentative;
int defined = 5;
extern int later;
static int zeroed[1000];
static int partial[10] = {1, 2, [8] = 9};
static char text[] = "writable text";
static const char *words[] = {"alpha", text, text + 4, &"literal"[2]};
static int *p = &partial[8], **pp = &p, *q = partial + 10 - 1;
static int *pl = &later;
static long diff = 3 * 7 - (1 << 4) + sizeof(int) + ('b' - 'a');
static double d = 1.0 / 3 * 6, e = -(5 / 2), f = (float)0.1;
static unsigned u = -1, v = ~0u >> 4, w = 0xffffffffu + 2;
static signed char sc = 300 - 256;
static _Bool yes = 0.5 > 0.25, no = !1;
static struct node { int v; struct node *next; int arr[3]; } c = {3, NULL, {7, 8, 9}}, b = {2, &c, {[1] = 5}}, a = {.next = &b, .v = 1}, ring = {9, &ring, {0}};
static int *inside = &b.arr[1];
static int (*fn)(const char *) = puts;
static const size_t off = offsetof(struct node, arr[2]);
static union { int i; char ch[8]; } un = {0x41424344};
static int m[2][3] = {{1, 2}, {4}};
static void *self = &self;
enum { K = 1 << 3 | 2 };
static int sized[K + (sizeof(long) == 8 ? 2 : 100)];
int later = 77;

int main(void)
{
    printf("%d %d %d\n", tentative, defined, later);
    int s = 0;
    for (int i = 0; i < 1000; i++)
        s |= zeroed[i];
    printf("%d %d %d %d\n", s, partial[1], partial[8], partial[9]);
    text[0] = 'W';
    printf("%s %s %s %s\n", words[0], words[1], words[2], words[3]);
    printf("%d %d %d %d\n", *p, **pp, *q, *pl);
    **pp = 33;
    *pl += 1;
    printf("%d %d\n", partial[8], later);
    printf("%ld %.17g %g %.17g\n", diff, d, e, f);
    printf("%u %u %u %d %d %d\n", u, v, w, sc, yes, no);
    for (struct node *n = &a; n; n = n->next)
        printf("%d:%d,%d,%d ", n->v, n->arr[0], n->arr[1], n->arr[2]);
    printf("%d\n", ring.next->next->next->v);
    *inside = 55;
    printf("%d %zu %s\n", a.next->arr[1], off, un.ch);
    fn("through a global pointer");
    printf("%d %d %d\n", m[0][1], m[1][0], m[1][2]);
    printf("%d %zu\n", self == (void *)&self, sizeof sized / sizeof *sized);
    return 0;
}
