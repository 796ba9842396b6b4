// expect: ok
// flags: -fsanitize=signed-integer-overflow -fsanitize-trap=all
#include <stdio.h>

int main(void)
{
    long f = 1;
    for (int i = 1; i <= 20; i++)
        f *= i;
    printf("%ld\n", f);
    return 0;
}
