// Takeuchi's function and Fibonacci numbers, naively: the cost of calls and returns.
// One unit of SCALE is 10,094 calls.
#include <stdint.h>
#include <stdio.h>

#ifndef SCALE
#define SCALE 1
#endif

static uint64_t calls;

static int tak(int x, int y, int z)
{
    calls++;
    return y < x ? tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)) : z;
}

static int64_t fibonacci(int n)
{
    calls++;
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    uint64_t sum = 0;
    for (uint64_t round = 0; round < SCALE; round++)
        sum = sum * 31 + (uint64_t)tak(11, 7, 3) + (uint64_t)fibonacci(18) + round;
    printf("%llu %llu\n", (unsigned long long)sum, (unsigned long long)calls);
    return 0;
}
