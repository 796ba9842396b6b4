// Number formatting: roman numerals both ways, number names, arbitrary bases, Gray code, BCD.
#include <stdio.h>
#include <string.h>

static const struct { int v; const char *s; } R[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"},
    {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}};

static char *roman(int n, char *o)
{
    *o = 0;
    for (unsigned i = 0; i < sizeof R / sizeof *R; i++)
        for (; n >= R[i].v; n -= R[i].v)
            strcat(o, R[i].s);
    return o;
}

static int unroman(const char *s)
{
    int t = 0;
    for (unsigned i = 0; i < sizeof R / sizeof *R; i++)
        for (; !strncmp(s, R[i].s, strlen(R[i].s)); s += strlen(R[i].s))
            t += R[i].v;
    return *s ? -1 : t;
}

static void words(unsigned n)
{
    static const char *const small[] = {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
    static const char *const tens[] = {"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
    static const struct { unsigned v; const char *n; } big[] = {{1000000000, "billion"}, {1000000, "million"}, {1000, "thousand"}, {100, "hundred"}};
    if (n < 20) { printf("%s", small[n]); return; }
    if (n < 100) { printf("%s", tens[n / 10]); if (n % 10) printf("-%s", small[n % 10]); return; }
    for (int i = 0; i < 4; i++)
        if (n >= big[i].v) {
            words(n / big[i].v);
            printf(" %s", big[i].n);
            if (n % big[i].v) { printf(n % big[i].v < 100 ? " and " : " "); words(n % big[i].v); }
            return;
        }
}

static const char *base(unsigned long v, int b)
{
    static char buf[70];
    char *p = buf + 69;
    do *--p = "0123456789abcdefghijklmnopqrstuvwxyz"[v % (unsigned)b]; while (v /= (unsigned)b);
    return p;
}

int main(void)
{
    char b[32];
    int t[] = {1, 4, 9, 14, 40, 99, 444, 1987, 2024, 3999};
    for (int i = 0; i < 10; i++) {
        roman(t[i], b);
        printf("%d %s %d\n", t[i], b, unroman(b));
    }
    int bad = 0;
    for (int i = 1; i < 1000; i += 7)
        bad += unroman(roman(i, b)) != i;
    printf("bad %d %d\n", bad, unroman("XQ"));
    unsigned n[] = {0, 7, 13, 42, 100, 115, 999, 1001, 20300, 1234567, 4294967295u};
    for (int i = 0; i < 11; i++) { words(n[i]); puts(""); }
    for (int i = 2; i <= 36; i += 7)
        printf("%s ", base(1234567890123ul, i));
    puts("");
    for (unsigned i = 0; i < 16; i++)
        printf("%x", i ^ i >> 1);
    unsigned bcd = 0, v = 90210;
    for (int s = 0; v; s += 4, v /= 10)
        bcd |= v % 10 << s;
    printf(" %x\n", bcd);
    return 0;
}
