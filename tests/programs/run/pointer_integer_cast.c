// Casts between pointers and integers, arithmetic on the integers, hashing-free comparisons.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct s { int a; long b; char c[10]; };

static int deref(uintptr_t u, size_t off) { return *(int *)(u + off); }
static void *through(void *p) { volatile uintptr_t u = (uintptr_t)p; return (void *)u; }

int main(void)
{
    int arr[10];
    for (int i = 0; i < 10; i++)
        arr[i] = i * 11;
    uintptr_t u = (uintptr_t)arr;
    printf("%d %d\n", deref(u, 0), deref(u, 9 * sizeof(int)));
    for (uintptr_t p = u; p < (uintptr_t)(arr + 10); p += 2 * sizeof(int))
        printf("%d ", *(int *)p);
    puts("");
    printf("%d %d\n", (int)((uintptr_t)&arr[7] - u), (int)((intptr_t)&arr[2] - (intptr_t)&arr[5]));
    printf("%d %d\n", through(arr) == arr, ((int *)through(&arr[4]))[1]);
    struct s s = {1, 2, "chars"};
    *(long *)((uintptr_t)&s + offsetof(struct s, b)) = 99;
    printf("%ld %s\n", s.b, (char *)((uintptr_t)&s + offsetof(struct s, c)));
    uintptr_t parts[2];
    unsigned char bytes[sizeof(void *)];
    void *p = &arr[3];
    memcpy(bytes, &p, sizeof p);
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] ^= 0x5a;
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] ^= 0x5a;
    void *q;
    memcpy(&q, bytes, sizeof q);
    printf("%d %d\n", q == p, *(int *)q);
    parts[0] = (uintptr_t)p >> 32;
    parts[1] = (uintptr_t)p & 0xffffffffu;
    printf("%d\n", *(int *)(parts[0] << 32 | parts[1]));
    printf("%d %d %d\n", (void *)0 == NULL, (uintptr_t)NULL == 0, (int *)(intptr_t)0 == 0);
    void *fake = (void *)(uintptr_t)1234;               /* never dereferenced */
    printf("%lu %d\n", (unsigned long)(uintptr_t)fake, (int)(long)fake + 1);
    char *c = (char *)&arr[1];
    printf("%d\n", *(int *)(c + 4));
    union { int *p; uintptr_t u; } pun = {.p = arr};
    pun.u += 5 * sizeof(int);
    printf("%d\n", *pun.p);
    int (*fn)(const char *) = puts;
    uintptr_t fu = (uintptr_t)fn;
    ((int (*)(const char *))fu)("function through an integer");
    return 0;
}
