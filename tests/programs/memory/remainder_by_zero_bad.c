// expect: division-by-zero line 8
#include <stdio.h>

int main(void)
{
    unsigned long h = 123456789, buckets = 4;
    for (int i = 0; i < 4; i++) {
        printf("%lu\n", h % buckets);
        buckets >>= 1;
    }
    return 0;
}
