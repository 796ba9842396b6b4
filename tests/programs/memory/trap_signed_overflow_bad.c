// expect: trap line 8
// flags: -fsanitize=signed-integer-overflow -fsanitize-trap=all
#include <limits.h>
#include <stdio.h>

static int add(int a, int b)
{
    return a + b;
}

int main(void)
{
    printf("%d\n", add(INT_MAX - 1, 1));
    printf("%d\n", add(INT_MAX, 1));
    return 0;
}
