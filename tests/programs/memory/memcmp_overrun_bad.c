// expect: out-of-bounds line 12
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(9), *q = malloc(9);
    memset(p, 'p', 9);
    memset(q, 'p', 9);
    size_t n = 10;
    int r = memcmp(p, q, n);
    printf("%d\n", r != 12345);
    free(p);
    free(q);
    return 0;
}
