// volatile objects of several types: every access happens, compound operations, members, pointers.
#include <stdint.h>
#include <stdio.h>

static volatile int g = 1;
struct reg { volatile uint8_t status; volatile uint16_t data; volatile uint32_t ctrl; };

static int reads(volatile int *p) { return *p + *p + *p; }

int main(void)
{
    volatile int v = 10;
    v++;
    v += v;
    v = v * v;
    printf("%d\n", v);
    volatile unsigned char c = 250;
    for (int i = 0; i < 10; i++)
        c++;
    printf("%d\n", c);
    volatile double d = 0.1;
    d = d + d + d;
    printf("%.17g\n", d);
    volatile float f = 16777216;
    f += 1;
    printf("%.1f\n", f);
    for (g = 0; g < 100; g += 7)
        ;
    printf("%d %d\n", g, reads(&g));
    struct reg r = {0, 0, 0};
    for (int i = 0; i < 50; i++) {
        r.status ^= (uint8_t)(1u << (i & 7));
        r.data = (uint16_t)(r.data * 3 + r.status);
        r.ctrl -= r.data;
    }
    printf("%u %u %u\n", r.status, r.data, r.ctrl);
    volatile int arr[8] = {1, 2, 3};
    volatile int *p = arr + 2;
    *p++ = 30;
    *p-- = 40;
    int s = 0;
    for (int i = 0; i < 8; i++)
        s = s * 3 + arr[i];
    printf("%d %d\n", s, *p);
    int x = 5;
    int *volatile vp = &x;
    (*vp)++;
    vp = &s;
    *vp -= s - 9;
    printf("%d %d\n", x, s);
    volatile long long ll = -1;
    ll >>= 3;
    ll &= 0xffffffff0LL;
    printf("%lld\n", ll);
    const volatile int cv = 77;
    printf("%d\n", cv + cv);
    volatile _Bool b = 0;
    b = !b;
    printf("%d\n", b);
    __asm__ volatile("" ::: "memory");
    return 0;
}
