// expect: ok
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(8 * sizeof *p);
    p[7] = 1;
    int *q = realloc(p, 50000 * sizeof *p);
    printf("%d\n", q[7]);
    p = q;
    free(p);
    return 0;
}
