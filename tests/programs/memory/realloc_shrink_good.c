// expect: ok
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(10 * sizeof *p);
    for (int i = 0; i < 10; i++)
        p[i] = i;
    p = realloc(p, 20 * sizeof *p);
    int s = p[9];
    p[10] = 5;
    s += p[10];
    p = realloc(p, 11 * sizeof *p);
    s += p[10];
    printf("%d\n", s);
    free(p);
    return 0;
}
