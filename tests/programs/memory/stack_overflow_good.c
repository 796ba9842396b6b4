// expect: ok
#include <stdio.h>

static int depth;

static int forever(int n)
{
    volatile char frame[256];
    frame[0] = (char)n;
    depth++;
    int r = n < 3000 ? forever(n + 1) : 0;
    return r + (frame[0] == (char)n);
}

int main(void)
{
    int r = forever(0);
    printf("%d %d\n", r, depth);
    return 0;
}
