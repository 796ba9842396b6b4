// expect: out-of-bounds line 6
#include <stdio.h>

static int third(const char *p, int i)
{
    return p[i];
}

int main(void)
{
    char three[3] = {1, 2, 3};
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += third(three, i);
    printf("%d\n", s > 0);
    return 0;
}
