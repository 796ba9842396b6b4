// expect: ok
#include <stdio.h>

static int at(const char *s, int i)
{
    return s[i];
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 5; i++)         /* includes the terminator */
        sum += at("four", i);
    printf("%d\n", sum != 0);
    return 0;
}
