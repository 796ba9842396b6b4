// expect: invalid-free line 10
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    long *p = malloc(10 * sizeof *p);
    p[1] = 7;
    long *q = p + 1;
    q = realloc(q, 20 * sizeof *q);
    printf("%d\n", q != NULL);
    return 0;
}
