// expect: ok
#include <stdio.h>
#include <stdlib.h>

struct small { int a; int b; };
struct large { int a; int b; int c; };

int main(void)
{
    struct small *s = malloc(sizeof(struct large));
    s->a = 1;
    s->b = 2;
    struct large *l = (struct large *)s;
    printf("%d\n", l->b);
    l->c = 3;
    free(s);
    return 0;
}
