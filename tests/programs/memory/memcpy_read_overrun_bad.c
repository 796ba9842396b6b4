// expect: out-of-bounds line 11
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *src = malloc(11), dst[32];
    memset(src, 'x', 11);
    size_t n = 12;
    memcpy(dst, src, n);
    printf("%c\n", dst[10]);
    free(src);
    return 0;
}
