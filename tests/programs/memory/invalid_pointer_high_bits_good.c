// expect: ok
#include <stdint.h>
#include <stdio.h>

static long cell = 8;

int main(void)
{
    volatile uintptr_t u = (uintptr_t)&cell;
    u |= (uintptr_t)0x5a << 56;
    u &= ~((uintptr_t)0xff << 56);
    long v = *(long *)u;
    printf("%ld\n", v);
    return 0;
}
