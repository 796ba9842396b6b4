// expect: write-to-constant line 10
#include <stdio.h>
#include <string.h>

static const char banner[16] = "read only";

int main(void)
{
    char *volatile p = (char *)banner;
    memset(p, '*', 4);
    puts(p);
    return 0;
}
