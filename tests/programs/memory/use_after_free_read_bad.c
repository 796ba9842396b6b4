// expect: use-after-free line 10
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4 * sizeof *p);
    p[2] = 42;
    free(p);
    int v = p[2];
    printf("%d\n", v == 42);
    return 0;
}
