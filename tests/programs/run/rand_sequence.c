// glibc's rand() sequence for several seeds, rand_r, and the 48-bit generators.
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    printf("unseeded:");
    for (int i = 0; i < 6; i++)
        printf(" %d", rand());
    puts("");
    unsigned seeds[] = {0, 1, 2, 42, 123456789, 0xffffffffu};
    for (int s = 0; s < 6; s++) {
        srand(seeds[s]);
        printf("seed %u:", seeds[s]);
        for (int i = 0; i < 5; i++)
            printf(" %d", rand());
        unsigned long h = 0;
        for (int i = 0; i < 400; i++)
            h = h * 1000003 + (unsigned long)rand();
        printf(" hash %lu\n", h);
    }
    printf("RAND_MAX %d\n", RAND_MAX);
    srand(7);
    int d[6] = {0};
    for (int i = 0; i < 600; i++)
        d[rand() % 6]++;
    for (int i = 0; i < 6; i++)
        printf("%d ", d[i]);
    puts("");
    unsigned st = 5;
    for (int i = 0; i < 5; i++)
        printf("%d ", rand_r(&st));
    printf("%u\n", st);
    srand48(17);
    for (int i = 0; i < 4; i++) {
        printf("%ld ", lrand48());
        printf("%.12g ", drand48());
    }
    puts("");
    srandom(3);
    printf("%ld ", random());
    printf("%ld\n", random());
    return 0;
}
