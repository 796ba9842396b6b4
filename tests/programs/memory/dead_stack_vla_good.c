// expect: ok
#include <stdio.h>

static int last(int n)
{
    int v[n], *volatile p = v;
    for (int i = 0; i < n; i++)
        v[i] = i;
    return *(p + n - 1);
}

int main(void)
{
    int v = last(6);
    printf("%d\n", v);
    return 0;
}
