// expect: ok
#include <stdio.h>

static int add(int a, int b) { return a + b; }

int main(void)
{
    int (*f)(int) = (int (*)(int))(void *)add;
    int (*g)(int, int) = (int (*)(int, int))(void *)f;       /* cast back before the call */
    int r = g(5, 6);
    printf("%d\n", r != 0);
    return 0;
}
