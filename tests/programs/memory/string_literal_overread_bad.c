// expect: out-of-bounds line 6
#include <stdio.h>

static int at(const char *s, int i)
{
    return s[i];
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 6; i++)
        sum += at("four", i);
    printf("%d\n", sum != 0);
    return 0;
}
