// expect: leak line 9
// selvedge: --check leak
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t work(const char *s)
{
    char *copy = malloc(strlen(s) + 1);
    strcpy(copy, s);
    return strlen(copy);
}

int main(void)
{
    printf("%zu\n", work("forgotten"));
    return 0;
}
