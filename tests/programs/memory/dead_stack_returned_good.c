// expect: ok
#include <stdio.h>

static int *escape(int v)
{
    static int local;
    local = v * 2;
    return &local;
}

int main(void)
{
    int *p = escape(21);
    int v = *p;
    printf("%d\n", v);
    return 0;
}
