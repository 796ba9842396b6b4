// printf %n in its length variants, and return values of the printf family.
#include <stdio.h>
#include <string.h>

int main(void)
{
    int a = -1, b = -1, c = -1;
    int total = printf("hello%n, %s%n!%n\n", &a, "world", &b, &c);
    printf("%d %d %d total %d\n", a, b, c, total);
    long l = -1;
    short h = -1;
    signed char hh = -1;
    long long ll = -1;
    printf("abc%ln%hn%hhn%lln\n", &l, &h, &hh, &ll);
    printf("%ld %d %d %lld\n", l, h, hh, ll);
    char buf[8];
    int n = -1, m = -1;
    total = snprintf(buf, sizeof buf, "%d%n-%s%n", 12345, &n, "truncated", &m);
    printf("%s %d %d %d\n", buf, n, m, total);
    n = -1;
    printf("%n", &n);
    printf("%d\n", n);
    printf("%10d%n|\n", 5, &n);
    printf("%d\n", n);
    /* column alignment by %n */
    const char *w[] = {"short", "a longer label", "x"};
    for (int i = 0; i < 3; i++) {
        int col;
        printf("%s:%n", w[i], &col);
        printf("%*d\n", 20 - col, i * 100);
    }
    printf("%d\n", (int)strlen(buf));
    printf("%d\n", puts("puts returns non-negative") >= 0);
    printf("%d\n", putchar('A') == 'A');
    printf("%d\n", fprintf(stdout, "%s", ""));
    printf("%d\n", fputs("fputs\n", stdout) >= 0);
    fwrite("raw\0bytes\n", 1, 10, stdout);
    printf("%zu\n", fwrite("xy\n", 3, 1, stdout));
    return 0;
}
