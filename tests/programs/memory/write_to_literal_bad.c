// expect: write-to-constant line 8
#include <ctype.h>
#include <stdio.h>

static void upper(char *s)
{
    for (; *s; s++)
        *s = (char)toupper((unsigned char)*s);
}

int main(void)
{
    char *s = (char *)"literal";
    upper(s);
    puts(s);
    return 0;
}
