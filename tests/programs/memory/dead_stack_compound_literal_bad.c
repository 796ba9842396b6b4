// expect: dead-stack line 17
#include <stdio.h>

struct pt { int x, y; };

static struct pt *make(int x)
{
    struct pt *p = &(struct pt){x, 4};
    p->x += 1;
    return p;
}

int main(int argc, char **argv)
{
    (void)argv;
    struct pt *p = make(argc);
    int s = p->y;
    printf("%d\n", s);
    return 0;
}
