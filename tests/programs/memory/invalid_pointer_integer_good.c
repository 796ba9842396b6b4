// expect: ok
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    int object = 5;
    volatile uintptr_t u = (uintptr_t)&object;
    int *p = (int *)u;
    int v = *p;
    printf("%d\n", v);
    return 0;
}
