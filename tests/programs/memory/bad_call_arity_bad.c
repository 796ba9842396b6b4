// expect: bad-call line 9
#include <stdio.h>

static int add(int a, int b) { return a + b; }

int main(void)
{
    int (*f)(int) = (int (*)(int))(void *)add;
    int r = f(5);
    printf("%d\n", r != 0);
    return 0;
}
