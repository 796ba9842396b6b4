// The value returned from main becomes the exit status, taken modulo 256 (here 0x3ff).
#include <stdio.h>
#include <stdlib.h>

static int compute(int n)
{
    int r = 0;
    for (int i = 0; i < n; i++)
        r = r * 2 + 1;
    return r;
}

int main(void)
{
    for (int i = 0; i < 12; i++)
        printf("%d ", compute(i));
    puts("");
    int code = compute(10);
    printf("returning %d\n", code);
    return code;
}
