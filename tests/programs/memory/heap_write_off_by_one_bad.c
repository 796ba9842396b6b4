// expect: out-of-bounds line 12
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *s)
{
    size_t n = strlen(s);
    char *p = malloc(n);
    for (size_t i = 0; i < n; i++)
        p[i] = s[i];
    p[n] = 0;
    return p;
}

int main(void)
{
    char *p = copy("selvedge");
    puts(p);
    free(p);
    return 0;
}
