// expect: ok
#include <stdio.h>

struct big { int v[8]; };

static int *inside(struct big *b)
{
    int *volatile p = &b->v[3];
    return p;
}

int main(void)
{
    struct big b = {{0, 1, 2, 3, 4, 5, 6, 7}};
    int *p = inside(&b);
    int v = *p;
    printf("%d\n", v);
    return 0;
}
