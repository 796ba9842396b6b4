// flags: -std=c23
// Standard attributes, labels before declarations and at block ends, unnamed parameters, empty initialisers, unreachable().
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

[[nodiscard]] static int must(int x) { return x * 2; }
[[maybe_unused]] static int unused(void) { return 1; }
[[deprecated("old"), maybe_unused]] static int old(void) { return 3; }
[[noreturn]] static void leave(int c) { printf("leaving %d\n", c); exit(c); }
static int ignore(int a, int, double) { return a; }
static int pure(int x) { return x + 1; }

static int pick(int k)
{
    switch (k & 3) {
    case 0: return 10;
    case 1:
        k++;
        [[fallthrough]];
    case 2: return k;
    case 3: return 30;
    }
    unreachable();
}

static void loop(int n)
{
    int r = 0;
again:
    int t = n * n;
    r += t;
    if (--n > 0)
        goto again;
    printf("sum %d\n", r);
    if (r > 100)
        goto end;
    puts("small");
end:
}

static int loop2(int n)
{
    int r = 0;
next:
    int t = n % 7;
    r = r * 3 + t;
    if (n-- > 0)
        goto next;
    return r;
}

int main(void)
{
    printf("%d\n", must(21));
    [[maybe_unused]] int nothing = 5;
    printf("%d %d\n", ignore(1, 2, 3.0), pure(4));
    for (int i = 0; i < 8; i++)
        printf("%d ", pick(i));
    puts("");
    printf("%d\n", loop2(9));
    loop(3);
    loop(10);
    int a[5] = {};
    struct { int x; double y[2]; } s = {};
    printf("%d %d %g\n", a[4], s.x, s.y[1]);
    int n = 4;
    int vla[n] = {};
    printf("%d\n", vla[0] + vla[3]);
    [[maybe_unused]] int (*fp)(void) = unused;
    leave(9);
}
