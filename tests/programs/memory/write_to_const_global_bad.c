// expect: write-to-constant line 10
#include <stdio.h>

static const int limits[3] = {10, 20, 30};

int main(void)
{
    int *volatile p = (int *)limits;
    printf("%d\n", p[1]);
    p[1] = 25;
    printf("%d\n", p[1]);
    return 0;
}
