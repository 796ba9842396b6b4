// snprintf: truncation, return values, zero size, exact fit, sequential appending.
#include <stdio.h>
#include <string.h>

static void t(size_t size, const char *s)
{
    char b[32];
    memset(b, '#', sizeof b);
    int n = snprintf(b, size, "<%s>", s);
    printf("size %zu returns %d:", size, n);
    for (int i = 0; i < 12; i++)
        putchar(b[i] ? b[i] : '0');
    puts("");
}

int main(void)
{
    for (size_t i = 0; i < 9; i++)
        t(i, "abcd");
    t(4, "");
    printf("%d\n", snprintf(NULL, 0, "%d %s %g", 12345, "hello", 0.5));
    char b[24];
    size_t used = 0;
    int total = 0;
    for (int i = 0; i < 10; i++) {
        int n = snprintf(b + used, sizeof b - used, "%d,", i * i);
        total += n;
        if ((size_t)n >= sizeof b - used) {
            used = sizeof b - 1;
            break;
        }
        used += (size_t)n;
    }
    printf("%s %zu %d\n", b, used, total);
    int n = snprintf(b, sizeof b, "%-10s|%5d|%.2f", "left", 42, 3.14159);
    printf("%d %s\n", n, b);
    n = snprintf(b, 8, "%d", 1234567890);
    printf("%d %s\n", n, b);
    n = snprintf(b, sizeof b, "%.*s", 3, "abcdef");
    printf("%d %s\n", n, b);
    n = snprintf(b, sizeof b, "%*s", 50, "x");
    printf("%d [%s]\n", n, b);
    n = snprintf(b, sizeof b, "%s", "");
    printf("%d %d\n", n, b[0]);
    n = sprintf(b, "%c%c%c", 'x', 0, 'y');
    printf("%d %d %c\n", n, b[1], b[2]);
    char *p = b;
    for (int i = 0; i < 5; i++)
        p += sprintf(p, "%x", 0xabc + i * 0x111);
    printf("%s %td\n", b, p - b);
    return 0;
}
