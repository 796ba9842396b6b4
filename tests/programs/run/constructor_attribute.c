// Functions run before main (constructor, with priorities) and after it (destructor, atexit).
#include <stdio.h>
#include <stdlib.h>

static int trace[16], n;

__attribute__((constructor(300))) static void c300(void) { trace[n++] = 300; }
__attribute__((constructor(200))) static void c200(void) { trace[n++] = 200; }
__attribute__((constructor(102))) static void c102(void) { trace[n++] = 102; }
__attribute__((constructor)) static void plain1(void) { trace[n++] = 1; }
__attribute__((constructor)) static void plain2(void) { trace[n++] = 2; puts("constructor prints"); }

__attribute__((destructor(200))) static void d200(void) { puts("destructor 200"); }
__attribute__((destructor(300))) static void d300(void) { puts("destructor 300"); }
__attribute__((destructor)) static void dplain(void) { printf("destructor plain, n=%d\n", n); }

static void bye(void) { puts("atexit handler"); n = 99; }

int main(void)
{
    printf("main sees");
    for (int i = 0; i < n; i++)
        printf(" %d", trace[i]);
    printf("\n");
    atexit(bye);
    puts("leaving main");
    return 5;
}
