// expect: dead-stack line 15
#include <stdio.h>

struct ctx { int *counter; };

static void start(struct ctx *c)
{
    int count = 0;
    c->counter = &count;
    ++*c->counter;
}

static void step(struct ctx *c)
{
    ++*c->counter;
}

int main(void)
{
    struct ctx c;
    start(&c);
    step(&c);
    puts("stepped");
    return 0;
}
