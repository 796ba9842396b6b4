// expect: ok
#include <stdio.h>

static int three(void) { return 3; }

int main(void)
{
    void *volatile p = (void *)three;
    int (*f)(void) = (int (*)(void))p;
    int r = f();
    printf("%d\n", r);
    return 0;
}
