// expect: uninitialised line 12
// selvedge: --check uninitialised
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *p = calloc(1, 10);
    p = realloc(p, 20);
    int n = 0;
    while (n < 20) {
        if (p[n] != 0)
            break;
        n++;
    }
    printf("%d\n", n >= 10);
    free(p);
    return 0;
}
