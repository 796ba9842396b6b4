// A negative exit status, given to exit() from a nested call inside a qsort comparison.
#include <stdio.h>
#include <stdlib.h>

static int calls;

static int cmp(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    if (++calls == 7) {
        printf("leaving from comparison %d\n", calls);
        exit(-3);
    }
    return (x > y) - (x < y);
}

static void last(void)
{
    printf("handler sees %d calls\n", calls);
}

int main(void)
{
    int a[] = {5, 3, 9, 1, 7, 2, 8, 6, 4, 0};
    atexit(last);
    printf("unflushed text without newline;");
    qsort(a, 10, sizeof *a, cmp);
    printf("not reached\n");
    return 0;
}
