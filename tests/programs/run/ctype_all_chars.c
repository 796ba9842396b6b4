// Every ctype classification and conversion over all unsigned char values and EOF.
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    static int (*const f[])(int) = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph, islower, isprint, ispunct, isspace, isupper, isxdigit};
    static const char *const n[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"};
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        unsigned h = 0, count = 0;
        for (int c = -1; c < 256; c++) {
            int v = f[k](c) != 0;
            count += (unsigned)v;
            h = h * 3 + (unsigned)v;
        }
        printf("%s %u %08x\n", n[k], count, h);
    }
    for (int c = 0; c < 256; c++) {
        int m = !!isalnum(c) | !!isalpha(c) << 1 | !!isblank(c) << 2 | !!iscntrl(c) << 3 | !!isdigit(c) << 4 | !!isgraph(c) << 5
              | !!islower(c) << 6 | !!isprint(c) << 7 | !!ispunct(c) << 8 | !!isspace(c) << 9 | !!isupper(c) << 10 | !!isxdigit(c) << 11;
        printf("%03x%c", m, c % 16 == 15 ? '\n' : ' ');
    }
    unsigned up = 0, lo = 0;
    for (int c = -1; c < 256; c++) {
        up = up * 7 + (unsigned)toupper(c);
        lo = lo * 7 + (unsigned)tolower(c);
    }
    printf("%08x %08x\n", up, lo);
    for (const char *p = "Hello, World 42!"; *p; p++)
        putchar(isupper((unsigned char)*p) ? tolower((unsigned char)*p) : toupper((unsigned char)*p));
    puts("");
    return 0;
}
