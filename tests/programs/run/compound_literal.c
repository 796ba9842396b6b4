// Compound literals: of scalars, arrays, structures; modifiable, at file scope, in calls.
#include <stdio.h>
#include <string.h>

struct pt { int x, y; };
struct line { struct pt a, b; const char *label; };

static int *global = (int[]){10, 20, 30, 40};
static struct line *gl = &(struct line){{1, 2}, {.y = 4, .x = 3}, "global"};

static int sum(const int *a, int n) { int s = 0; while (n--) s += a[n]; return s; }
static int area(const struct line *l) { return (l->b.x - l->a.x) * (l->b.y - l->a.y); }
static void bump(struct pt *p) { p->x++; p->y--; }

int main(void)
{
    printf("%d %d\n", sum(global, 4), sum((int[]){1, 2, 3, 4, 5}, 5));
    global[1] = 7;
    printf("%d %s %d\n", sum(global, 4), gl->label, area(gl));
    gl->b.x = 11;
    printf("%d\n", area(gl));
    printf("%d\n", area(&(struct line){{0, 0}, {6, 7}, "tmp"}));
    int *p = &(int){5};
    *p += 37;
    printf("%d\n", *p);
    struct pt *q = &(struct pt){.x = 100};
    bump(q);
    printf("%d %d\n", q->x, q->y);
    char *s = (char[]){"modifiable"};
    s[0] = 'M';
    printf("%s %zu %zu\n", s, sizeof(char[]){"modifiable"}, strlen((char[20]){"abc"}));
    printf("%d\n", ((struct pt){3, 4}).x * ((struct pt){3, 4}).y);
    printf("%d\n", (int[3][2]){{1, 2}, {3, 4}, {5, 6}}[2][1]);
    int total = 0;
    for (int i = 0; i < 5; i++) {
        int *fresh = (int[3]){i};          /* re-initialised on every iteration */
        fresh[1] += 10;
        fresh[2] += fresh[0];
        total += fresh[0] + fresh[1] + fresh[2];
    }
    printf("total %d\n", total);
    struct pt arr[2];
    arr[0] = (struct pt){.y = 9};
    arr[1] = (struct pt){arr[0].y, arr[0].x};
    printf("%d %d %d %d\n", arr[0].x, arr[0].y, arr[1].x, arr[1].y);
    const float *f = (const float[]){[3] = 1.5f, [1] = 0.5f};
    printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
    return 0;
}
