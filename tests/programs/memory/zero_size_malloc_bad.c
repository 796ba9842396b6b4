// expect: out-of-bounds line 11
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    volatile size_t n = 0;
    char *p = malloc(n);
    if (!p)
        return 0;
    p[0] = 'x';
    puts("written");
    free(p);
    return 0;
}
