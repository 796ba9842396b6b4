// Multiplications, xors and shifts in one loop: the cost of arithmetic and of a branch.
// One unit of SCALE is 100,000 iterations.
#include <stdint.h>
#include <stdio.h>

#ifndef SCALE
#define SCALE 1
#endif

int main(void)
{
    uint64_t x = 0x9e3779b97f4a7c15u;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < (uint64_t)SCALE * 100000; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        sum = sum * 6364136223846793005u + (x ^ i);
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
