// expect: uninitialised line 15
// selvedge: --check uninitialised
#include <stdio.h>

static void parse(const char *s, int *out)
{
    if (s[0] == 'n')
        *out = s[1] - '0';
}

int main(void)
{
    int v;
    parse("x5", &v);
    if (v > 3)
        puts("big");
    else
        puts("small");
    return 0;
}
