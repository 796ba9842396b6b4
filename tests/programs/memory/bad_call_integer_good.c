// expect: ok
#include <stdint.h>
#include <stdio.h>

typedef int (*fn)(int);

static int twice(int x) { return x * 2; }

int main(void)
{
    volatile uintptr_t address = (uintptr_t)twice;
    fn f = (fn)address;
    int r = f(3);
    printf("%d\n", r);
    return 0;
}
