// expect: ok
// selvedge: --check uninitialised
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = calloc(4, sizeof *p);
    for (int i = 0; i < 3; i++)
        p[i] = i;
    for (int i = 0; i < 4; i++)
        printf("%d\n", p[i]);
    free(p);
    return 0;
}
