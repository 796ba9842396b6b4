// expect: bad-call line 10
#include <stdio.h>

static int data[16] = {1, 2, 3};

int main(void)
{
    void *volatile p = data;
    int (*f)(void) = (int (*)(void))p;
    int r = f();
    printf("%d\n", r);
    return 0;
}
