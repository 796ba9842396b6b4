// expect: dead-stack line 12
#include <stdio.h>

int main(void)
{
    int *p = NULL;
    for (int i = 0; i < 3; i++) {
        int inner = i * 10;
        if (i == 2)
            p = &inner;
    }
    int v = *p;
    printf("%d\n", v);
    return 0;
}
