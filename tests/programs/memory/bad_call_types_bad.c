// expect: bad-call line 10
#include <stdio.h>

static double half(double x) { return x / 2; }

int main(void)
{
    void *volatile p = (void *)half;
    int (*f)(int) = (int (*)(int))p;
    int r = f(8);
    printf("%d\n", r != 12345);
    return 0;
}
