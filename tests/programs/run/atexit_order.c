// atexit handlers run in reverse order, one registered from a handler, after nested exit().
#include <stdio.h>
#include <stdlib.h>

static int count;

static void first(void) { printf("first registered, runs last (%d)\n", ++count); }
static void second(void) { printf("second (%d)\n", ++count); }
static void late(void) { printf("registered during exit (%d)\n", ++count); }
static void third(void)
{
    printf("third (%d)\n", ++count);
    atexit(late);
}
static void again(void) { printf("again (%d)\n", ++count); }

static void deep(int n)
{
    char pad[16];
    snprintf(pad, sizeof pad, "level %d", n);
    if (n == 0) {
        puts("calling exit from the bottom");
        exit(42);
    }
    deep(n - 1);
    puts(pad);                 /* never reached */
}

int main(void)
{
    int rc = 0;
    rc |= atexit(first);
    rc |= atexit(second);
    rc |= atexit(again);
    rc |= atexit(again);       /* the same function twice runs twice */
    rc |= atexit(third);
    for (int i = 0; i < 30; i++)
        rc |= atexit(second);
    printf("registered, rc %d\n", rc);
    deep(5);
    return 0;
}
