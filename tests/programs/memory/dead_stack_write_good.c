// expect: ok
#include <stdio.h>

struct ctx { int *counter; };

static void step(struct ctx *c)
{
    ++*c->counter;
}

static int start(struct ctx *c)
{
    int count = 0;
    c->counter = &count;
    ++*c->counter;
    step(c);                    /* the frame is still alive */
    return count;
}

int main(void)
{
    struct ctx c;
    printf("%d\n", start(&c));
    return 0;
}
