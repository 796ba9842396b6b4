// expect: ok
#include <stdio.h>
#include <stdlib.h>

struct box { int *data; };

static void drop(struct box *b)
{
    free(b->data);
    b->data = NULL;
}

int main(void)
{
    struct box a = {malloc(40)};
    a.data[0] = 5;
    printf("%d\n", a.data[0]);
    drop(&a);
    drop(&a);
    return 0;
}
