// expect: ok
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(6);
    memcpy(p, "abcde", 6);
    size_t n = strlen(p);
    printf("%d %.5s\n", n >= 5, p);
    free(p);
    return 0;
}
