// expect: ok
#include <stdio.h>

static double half(double x) { return x / 2; }

int main(void)
{
    void *volatile p = (void *)half;
    double (*f)(double) = (double (*)(double))p;
    int r = (int)f(8);
    printf("%d\n", r != 12345);
    return 0;
}
