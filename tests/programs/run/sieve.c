// Sieve of Eratosthenes with bytes and with bits; counts, twin primes, gaps.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LIMIT 20000
static char composite[LIMIT + 1];
static uint64_t bitset[LIMIT / 64 + 1];

static void set(unsigned i) { bitset[i >> 6] |= 1ULL << (i & 63); }
static int get(unsigned i) { return (int)(bitset[i >> 6] >> (i & 63) & 1); }

int main(void)
{
    composite[0] = composite[1] = 1;
    for (int i = 2; i * i <= LIMIT; i++)
        if (!composite[i])
            for (int j = i * i; j <= LIMIT; j += i)
                composite[j] = 1;
    memset(bitset, 0, sizeof bitset);
    set(0);
    set(1);
    for (unsigned i = 2; i * i <= LIMIT; i++)
        if (!get(i))
            for (unsigned j = i + i; j <= LIMIT; j += i)
                set(j);
    int count = 0, twins = 0, gap = 0, last = 2, at = 0, differ = 0, pop = 0;
    unsigned long sum = 0;
    for (int i = 2; i <= LIMIT; i++) {
        if (composite[i] != get((unsigned)i))
            differ++;
        if (composite[i])
            continue;
        count++;
        sum += (unsigned long)i;
        twins += i - last == 2;
        if (i - last > gap) {
            gap = i - last;
            at = last;
        }
        last = i;
    }
    for (unsigned i = 0; i < sizeof bitset / sizeof *bitset; i++)
        pop += __builtin_popcountll(bitset[i]);
    printf("primes %d sum %lu twins %d gap %d at %d last %d\n", count, sum, twins, gap, at, last);
    printf("differ %d composite bits %d\n", differ, pop);
    for (int i = 0, k = 0; k < 20; i++)
        if (!composite[i]) {
            printf("%d ", i);
            k++;
        }
    puts("");
    return 0;
}
