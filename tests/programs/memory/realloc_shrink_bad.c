// expect: out-of-bounds line 12
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(20 * sizeof *p);
    for (int i = 0; i < 20; i++)
        p[i] = i;
    p = realloc(p, 10 * sizeof *p);
    int s = p[9];
    s += p[10];
    printf("%d\n", s);
    free(p);
    return 0;
}
