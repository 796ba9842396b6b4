// expect: ok
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    long *p = malloc(4 * sizeof *p), *mid = p + 2;
    for (int i = 0; i < 4; i++)
        p[i] = i;
    long s = 0;
    for (int i = 1; i >= -2; i--)
        s += mid[i];
    printf("%ld\n", s);
    free(p);
    return 0;
}
