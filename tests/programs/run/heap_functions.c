// malloc, calloc, realloc, free: zeroing, content kept by realloc, many sizes, reuse patterns.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    free(NULL);
    int *p = calloc(100, sizeof *p);
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum |= p[i];
    printf("%d\n", sum);
    for (int i = 0; i < 100; i++)
        p[i] = i * i;
    p = realloc(p, 1000 * sizeof *p);
    printf("%d %d\n", p[0], p[99]);
    p = realloc(p, 10 * sizeof *p);
    printf("%d\n", p[9]);
    free(p);
    char *q = realloc(NULL, 5);
    strcpy(q, "four");
    puts(q);
    free(q);
    unsigned char *v[64];
    int bad = 0, unaligned = 0;
    for (int i = 0; i < 64; i++) {
        size_t n = (size_t)(i * 13 + 1);
        v[i] = malloc(n);
        memset(v[i], i, n);
        unaligned += (uintptr_t)v[i] % 16 != 0;
    }
    for (int i = 0; i < 64; i += 2) {
        free(v[i]);
        v[i] = NULL;
    }
    for (int i = 1; i < 64; i += 2) {
        size_t n = (size_t)(i * 13 + 1);
        v[i] = realloc(v[i], n * 3);
        for (size_t k = 0; k < n; k++)
            bad += v[i][k] != i;
        memset(v[i] + n, 0xee, 2 * n);
    }
    for (int i = 0; i < 64; i += 2) {
        v[i] = calloc(1, (size_t)i + 8);
        for (int k = 0; k < i + 8; k++)
            bad += v[i][k] != 0;
    }
    for (int i = 63; i >= 0; i--)
        free(v[i]);
    printf("bad %d unaligned %d\n", bad, unaligned);
    char *s = NULL;
    size_t len = 0;
    for (int i = 0; i < 200; i++) {
        s = realloc(s, len + 2);
        s[len++] = (char)('a' + i % 26);
        s[len] = 0;
    }
    printf("%zu %.10s %s\n", strlen(s), s, s + 190);
    free(s);
    return bad;
}
