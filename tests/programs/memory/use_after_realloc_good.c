// expect: ok
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4 * sizeof *p);
    size_t third = 2;
    for (int i = 0; i < 4; i++)
        p[i] = i;
    p = realloc(p, 100000 * sizeof *p);
    p[third] = 9;
    printf("%d\n", p[1] + p[2]);
    free(p);
    return 0;
}
