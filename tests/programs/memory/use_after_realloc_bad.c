// expect: use-after-free line 11
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4 * sizeof *p), *third = p + 2;
    for (int i = 0; i < 4; i++)
        p[i] = i;
    int *q = realloc(p, 100000 * sizeof *p);
    *third = 9;
    printf("%d\n", q[1]);
    free(q);
    return 0;
}
