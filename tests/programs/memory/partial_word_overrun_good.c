// expect: ok
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    /* 13 bytes: the allocation is not a multiple of eight */
    unsigned char *p = malloc(13);
    for (int i = 0; i < 13; i++)
        p[i] = (unsigned char)i;
    volatile int last = 12;
    p[last] = 99;
    printf("%d\n", p[12]);
    free(p);
    return 0;
}
