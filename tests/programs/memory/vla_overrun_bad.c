// expect: out-of-bounds line 9
#include <stdio.h>

static int run(int n)
{
    int v[n];
    for (int i = 0; i < n; i++)
        v[i] = i;
    v[n] = 7;
    return v[n - 1];
}

int main(void)
{
    printf("%d\n", run(5));
    return 0;
}
