// expect: ok
#include <stdio.h>

struct pt { int x, y; };

static struct pt *grow(struct pt *p)
{
    p->x += 1;
    return p;
}

int main(int argc, char **argv)
{
    (void)argv;
    struct pt *p = grow(&(struct pt){argc, 4});
    int s = p->y;
    printf("%d\n", s);
    return 0;
}
