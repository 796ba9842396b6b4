// expect: ok
// flags: -fsanitize=shift -fsanitize-trap=all
#include <stdio.h>

static unsigned bit(int n)
{
    return 1u << n;
}

int main(void)
{
    printf("%u\n", bit(31));
    printf("%u\n", bit(0));
    return 0;
}
