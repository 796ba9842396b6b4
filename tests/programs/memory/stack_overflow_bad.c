// expect: stack-overflow line 11
#include <stdio.h>

static int depth;

static int forever(int n)
{
    volatile char frame[256];
    frame[0] = (char)n;
    depth++;
    int r = forever(n + 1);
    return r + frame[0];
}

int main(void)
{
    printf("%d\n", forever(0));
    return 0;
}
