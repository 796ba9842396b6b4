// expect: ok
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    volatile size_t n = 0;
    char *p = malloc(n);
    for (size_t i = 0; i < n; i++)
        p[i] = 'x';
    puts("nothing written");
    free(p);
    return 0;
}
