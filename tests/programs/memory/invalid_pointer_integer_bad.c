// expect: invalid-pointer line 9
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    volatile uintptr_t u = 0x123456789a8u;
    int *p = (int *)u;
    int v = *p;
    printf("%d\n", v);
    return 0;
}
