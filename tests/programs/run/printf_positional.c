// printf with positional arguments (POSIX n$), reordering and repeated use.
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stdio.h>

static void say(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vprintf(fmt, ap);
    va_end(ap);
    printf("  (%d)\n", n);
}

int main(void)
{
    say("%2$s, %1$s!", "world", "hello");
    say("%1$d %1$x %1$o %1$5d|%1$-5d|%1$05d", 42);
    say("%3$c%2$c%1$c", 'a', 'b', 'c');
    say("%2$*1$d|", 8, 77);
    say("%2$-*1$d|", 8, 77);
    say("%3$*1$.*2$f|", 10, 3, 3.14159);
    say("%1$s %2$d %3$g %1$s %3$.2f %2$+d", "mix", 5, 2.5);
    say("%2$lld %1$hhd %3$lu", -5, 123456789012LL, 99ul);
    say("%9$d %8$d %7$d %6$d %5$d %4$d %3$d %2$d %1$d", 1, 2, 3, 4, 5, 6, 7, 8, 9);
    say("%10$g %9$g %1$g %2$g %3$g %4$g %5$g %6$g %7$g %8$g", .1, .2, .3, .4, .5, .6, .7, .8, .9, 1.0);
    say("%1$s%%%1$s", "pct");
    say("%2$.3s|%1$10.2e|", 12345.678, "abcdef");
    char buf[64];
    int n = snprintf(buf, sizeof buf, "%2$04x-%1$04x", 0x12u, 0xabcu);
    printf("%s %d\n", buf, n);
    return 0;
}
