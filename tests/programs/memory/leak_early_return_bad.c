// expect: leak line 8
// selvedge: --check leak
#include <stdio.h>
#include <stdlib.h>

static int process(int v)
{
    int *tmp = malloc(100 * sizeof *tmp);
    tmp[0] = v;
    if (v < 0)
        return -1;
    int r = tmp[0] * 2;
    free(tmp);
    return r;
}

int main(void)
{
    printf("%d\n", process(4));
    printf("%d\n", process(-4));
    return 0;
}
