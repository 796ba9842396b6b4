// expect: ok
// selvedge: --check uninitialised
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = calloc(1, 10);
    p = realloc(p, 20);
    memset(p + 10, 0, 10);
    int n = 0;
    while (n < 20) {
        if (p[n] != 0)
            break;
        n++;
    }
    printf("%d\n", n);
    free(p);
    return 0;
}
