// expect: ok
#include <stdio.h>

static int kind(int v)
{
    switch (v) {
    case 0: return 10;
    case 1: return 11;
    }
    __builtin_unreachable();
}

int main(void)
{
    printf("%d\n", kind(1));
    printf("%d\n", kind(0));
    return 0;
}
