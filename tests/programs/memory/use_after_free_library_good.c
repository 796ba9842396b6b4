// expect: ok
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = malloc(16), *t = s + 4;
    strcpy(s, "key=value");
    printf("%s\n", t);
    free(s);
    return 0;
}
