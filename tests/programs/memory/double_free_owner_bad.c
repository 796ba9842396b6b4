// expect: double-free line 9
#include <stdio.h>
#include <stdlib.h>

struct box { int *data; };

static void drop(struct box *b)
{
    free(b->data);
}

int main(void)
{
    struct box a = {malloc(40)}, b = a;         /* shallow copy */
    a.data[0] = 5;
    printf("%d\n", b.data[0]);
    drop(&a);
    drop(&b);
    return 0;
}
