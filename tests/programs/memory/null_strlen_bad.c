// expect: null-dereference line 9
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *home = getenv("SELVEDGE_NO_SUCH_VARIABLE");
    size_t n = strlen(home);
    printf("%zu\n", n);
    return 0;
}
