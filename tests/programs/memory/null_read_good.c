// expect: ok
#include <stdio.h>
#include <string.h>

static int value(const char *s, char c)
{
    const char *p = strchr(s, c);
    return p ? *p : -1;
}

int main(void)
{
    printf("%d\n", value("abc", 'b'));
    printf("%d\n", value("abc", 'z'));
    return 0;
}
