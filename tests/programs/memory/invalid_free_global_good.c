// expect: ok
#include <stdio.h>
#include <stdlib.h>

static char fallback[64] = "default";

static char *get(int heap)
{
    return heap ? calloc(1, 64) : fallback;
}

int main(void)
{
    char *a = get(1), *b = get(0);
    printf("%d %s\n", a[0], b);
    free(a);
    if (b != fallback)
        free(b);
    return 0;
}
