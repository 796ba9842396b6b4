// expect: trap line 7
#include <stdio.h>

static int check(int v)
{
    if (v > 100)
        __builtin_trap();
    return v;
}

int main(void)
{
    printf("%d\n", check(100));
    printf("%d\n", check(101));
    return 0;
}
