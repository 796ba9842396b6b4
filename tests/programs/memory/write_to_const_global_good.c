// expect: ok
#include <stdio.h>

static int limits[3] = {10, 20, 30};

int main(void)
{
    const int *view = limits;
    int *volatile p = (int *)view;      /* the object itself is not const */
    printf("%d\n", p[1]);
    p[1] = 25;
    printf("%d\n", p[1]);
    return 0;
}
