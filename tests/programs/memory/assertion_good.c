// expect: ok
#include <assert.h>
#include <stdio.h>

static int isqrt(int v)
{
    assert(v >= 0);
    int r = 0;
    while ((r + 1) * (r + 1) <= v)
        r++;
    return r;
}

int main(void)
{
    printf("%d\n", isqrt(17));
    printf("%d\n", isqrt(0));
    return 0;
}
