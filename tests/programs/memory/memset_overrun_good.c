// expect: ok
#include <stdio.h>
#include <string.h>

static unsigned char page[100];

static void clear(size_t from, size_t n)
{
    memset(page + from, 0xff, n);
}

int main(void)
{
    clear(0, 100);
    clear(60, 40);
    clear(100, 0);
    printf("%d\n", page[99]);
    return 0;
}
