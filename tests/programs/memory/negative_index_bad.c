// expect: out-of-bounds line 12
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    long *p = malloc(4 * sizeof *p);
    for (int i = 0; i < 4; i++)
        p[i] = i;
    long s = 0;
    for (int i = 3; i >= -1; i--)
        s += p[i];
    printf("%ld\n", s);
    free(p);
    return 0;
}
