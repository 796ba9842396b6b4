// expect: ok
#include <stdio.h>

struct pt { int x, y; };

int main(int argc, char **argv)
{
    (void)argv;
    struct pt *p = &(struct pt){3, 4};
    if (argc > 0)
        p->x += argc;
    int s = p->y;
    printf("%d\n", s);
    return 0;
}
