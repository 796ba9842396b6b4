// expect: ok
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 10, sum = 0;
    int *p = malloc((size_t)n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int *q = p; q != p + n; q++)       /* the end pointer is only compared */
        sum += *q;
    printf("%d\n", sum);
    free(p);
    return 0;
}
