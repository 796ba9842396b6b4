// expect: out-of-bounds line 10
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(5);
    memcpy(p, "abcde", 5);
    size_t n = strlen(p);
    printf("%d\n", n >= 5);
    free(p);
    return 0;
}
