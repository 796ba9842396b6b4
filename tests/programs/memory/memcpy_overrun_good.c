// expect: ok
#include <stdio.h>
#include <string.h>

int main(void)
{
    char src[20] = "0123456789abcdefghi", dst[20];
    size_t n = sizeof src;
    memcpy(dst, src, n);
    memcpy(dst + 20, src, n - 20);      /* nothing, at the end pointer */
    printf("%c\n", dst[3]);
    return 0;
}
