// expect: invalid-free line 11
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc(32);
    for (int i = 0; i < 3; i++)
        *p++ = (char)('a' + i);
    printf("%c\n", p[-1]);
    free(p);
    return 0;
}
