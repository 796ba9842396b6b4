// expect: ok
#include <stdio.h>

int main(void)
{
    int *p = NULL, v = 0;
    for (int i = 0; i < 3; i++) {
        int inner = i * 10;
        if (i == 2) {
            p = &inner;
            v = *p;             /* still in scope */
        }
    }
    printf("%d\n", v);
    return 0;
}
