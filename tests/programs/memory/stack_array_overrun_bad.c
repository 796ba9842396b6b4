// expect: out-of-bounds line 8
#include <stdio.h>

static int fill(int n)
{
    int a[8], s = 0;
    for (int i = 0; i < n; i++)
        a[i] = i * i;
    for (int i = 0; i < 8; i++)
        s += a[i];
    return s;
}

int main(void)
{
    printf("%d\n", fill(9));
    return 0;
}
