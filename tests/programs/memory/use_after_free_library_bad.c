// expect: use-after-free line 11
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = malloc(16), *t = s + 4;
    strcpy(s, "key=value");
    free(s);
    printf("%s\n", t);
    return 0;
}
