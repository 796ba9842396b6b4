// expect: ok
// selvedge: --check leak
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t work(const char *s)
{
    char *copy = malloc(strlen(s) + 1);
    strcpy(copy, s);
    size_t n = strlen(copy);
    free(copy);
    return n;
}

int main(void)
{
    printf("%zu\n", work("forgotten"));
    return 0;
}
