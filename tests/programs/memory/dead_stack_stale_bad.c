// expect: dead-stack line 25
#include <stdio.h>

static const char *saved;

static void remember(int v)
{
    char buf[16];
    snprintf(buf, sizeof buf, "value %d", v);
    saved = buf;
}

static int busy(int n)
{
    int a[32];
    for (int i = 0; i < 32; i++)
        a[i] = n + i;
    return n ? busy(n - 1) + a[31] : a[0];
}

int main(void)
{
    remember(7);
    int r = busy(20);           /* the frame has been reused many times */
    char c = saved[0];
    printf("%d %d\n", r, c != 0);
    return 0;
}
