// expect: out-of-bounds line 13
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) word { unsigned v; };

int main(void)
{
    unsigned char *p = malloc(10);
    memset(p, 1, 10);
    struct word *w = (struct word *)(p + 7);
    unsigned v = w->v;
    printf("%d\n", v != 0);
    free(p);
    return 0;
}
