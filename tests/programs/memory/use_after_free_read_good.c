// expect: ok
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4 * sizeof *p);
    p[2] = 42;
    int v = p[2];
    free(p);
    p = NULL;
    free(p);
    printf("%d\n", v == 42);
    return 0;
}
