// expect: out-of-bounds line 9
#include <stdio.h>
#include <string.h>

int main(void)
{
    char src[20] = "0123456789abcdefghi", dst[16];
    size_t n = sizeof src;
    memcpy(dst, src, n);
    printf("%c\n", dst[3]);
    return 0;
}
