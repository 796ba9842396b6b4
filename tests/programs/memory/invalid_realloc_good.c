// expect: ok
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    long *p = malloc(10 * sizeof *p);
    p[1] = 7;
    long *q = p + 1;
    p = realloc(q - 1, 20 * sizeof *q);
    printf("%ld\n", p[1]);
    free(p);
    return 0;
}
