// expect: invalid-free line 7
#include <stdio.h>
#include <stdlib.h>

static void release(void *p)
{
    free(p);
}

int main(void)
{
    int local[4] = {1, 2, 3, 4};
    printf("%d\n", local[2]);
    release(local);
    return 0;
}
