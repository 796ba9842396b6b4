// expect: bad-call line 11
#include <stdint.h>
#include <stdio.h>

typedef int (*fn)(int);

int main(void)
{
    volatile uintptr_t address = 0x1230;
    fn f = (fn)address;
    int r = f(3);
    printf("%d\n", r);
    return 0;
}
