// expect: ok
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc(24), *q = p;
    p[0] = 'x';
    printf("%c\n", q[0]);
    free(p);
    q = NULL;
    free(q);
    return 0;
}
