// expect: ok
// selvedge: --check leak
#include <stdio.h>
#include <stdlib.h>

static int process(int v)
{
    int *tmp = malloc(100 * sizeof *tmp);
    tmp[0] = v;
    int r = v < 0 ? -1 : tmp[0] * 2;
    free(tmp);
    return r;
}

int main(void)
{
    printf("%d\n", process(4));
    printf("%d\n", process(-4));
    return 0;
}
