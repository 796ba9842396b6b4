// expect: ok
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(9), *q = malloc(9);
    memset(p, 'p', 9);
    memset(q, 'p', 9);
    size_t n = 9;
    int r = memcmp(p, q, n);
    printf("%d\n", r);
    free(p);
    free(q);
    return 0;
}
