// expect: ok
#include <stdio.h>

static int average(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return n ? s / n : 0;
}

int main(void)
{
    int a[] = {4, 8, 15};
    printf("%d\n", average(a, 3));
    printf("%d\n", average(a, 0));
    return 0;
}
