// at_quick_exit handlers run for quick_exit, atexit handlers do not.
#include <stdio.h>
#include <stdlib.h>

static void quick1(void) { puts("quick one"); fflush(stdout); }
static void quick2(void) { puts("quick two"); fflush(stdout); }
static void normal(void) { puts("normal handler: wrong"); fflush(stdout); }

static _Noreturn void leave(int code)
{
    printf("leaving with %d\n", code);
    fflush(stdout);
    quick_exit(code);
}

int main(void)
{
    int r = at_quick_exit(quick1);
    r |= at_quick_exit(quick2);
    r |= atexit(normal);
    printf("registered %d\n", r);
    for (int i = 0; i < 100; i++)
        if (i * i > 1000)
            leave(i);
    return 0;
}
