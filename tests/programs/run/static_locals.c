// Static local variables: one instance per function, initialised once, in recursion and loops.
#include <stdio.h>
#include <string.h>

static int counter(void) { static int n = 10; return n++; }
static int other(void) { static int n; return --n; }

static const char *ring(int v)
{
    static char bufs[3][16];
    static unsigned next;
    char *b = bufs[next++ % 3];
    snprintf(b, 16, "<%d>", v);
    return b;
}

static int depth(int n)
{
    static int max, cur;
    if (++cur > max)
        max = cur;
    if (n > 0) {
        depth(n - 1);
        depth(n / 3 - 1);
    }
    cur--;
    return max;
}

static unsigned memo_fib(int n)
{
    static unsigned memo[60] = {0, 1};
    if (n < 2 || memo[n])
        return memo[n];
    return memo[n] = memo_fib(n - 1) + memo_fib(n - 2);
}

static int *cell(int i)
{
    static int a[5] = {5, 4, 3, 2, 1};
    return &a[i % 5];
}

static int blocks(int which)
{
    if (which) {
        static int x = 1;
        x *= 2;
        return x;
    } else {
        static int x = 1;
        x += 100;
        return x;
    }
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        int a = counter(), b = other();
        printf("%d %d\n", a, b);
    }
    const char *a = ring(1), *b = ring(22), *c = ring(333);
    printf("%s %s %s\n", a, b, c);
    printf("%s\n", (ring(4), a));
    printf("%d", depth(4));
    printf(" %d\n", depth(17));
    printf("%u %u\n", memo_fib(47), memo_fib(30));
    for (int i = 0; i < 12; i++)
        *cell(i) += i;
    for (int i = 0; i < 5; i++)
        printf("%d ", *cell(i));
    puts("");
    for (int i = 0; i < 6; i++)
        printf("%d ", blocks(i % 2));
    puts("");
    for (int i = 0; i < 4; i++) {
        static int once = 7;
        int every = 7;
        once++; every++;
        printf("%d/%d ", once, every);
    }
    static const char *const words[] = {"alpha", "beta", "gamma"};
    size_t len = 0;
    for (int i = 0; i < 3; i++)
        len += strlen(words[i]);
    printf("%zu\n", len);
    return 0;
}
