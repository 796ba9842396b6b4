// expect: out-of-bounds line 8
#include <stdio.h>

static int table[5] = {1, 2, 3, 4, 5};

static int lookup(int i)
{
    return table[i];
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 6; i++)
        s += lookup(i);
    printf("%d\n", s);
    return 0;
}
