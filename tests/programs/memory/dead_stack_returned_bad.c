// expect: dead-stack line 14
#include <stdio.h>

static int *escape(int v)
{
    int local = v * 2;
    int *volatile p = &local;
    return p;
}

int main(void)
{
    int *p = escape(21);
    int v = *p;
    printf("%d\n", v);
    return 0;
}
