// expect: ok
#include <stdio.h>

int main(void)
{
    unsigned long h = 123456789, buckets = 4;
    for (int i = 0; i < 3; i++) {
        printf("%lu\n", h % buckets);
        buckets >>= 1;
    }
    volatile double z = 0;
    printf("%d\n", 1 / z > 1e300);      /* floating division by zero is fine */
    return 0;
}
