// Plain, signed and unsigned char: ranges, extension, comparisons, as indices and in strings.
#include <limits.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    printf("%d %d %d %d %d\n", CHAR_MIN, CHAR_MAX, SCHAR_MIN, UCHAR_MAX, CHAR_BIT);
    char c = (char)200;
    signed char s = (signed char)200;
    unsigned char u = 200;
    printf("%d %d %d\n", c, s, u);
    printf("%d %d %d\n", c < 0, c == s, c == u);
    printf("%u %lu %llx\n", (unsigned)c, (unsigned long)s, (unsigned long long)c);
    printf("%d %d\n", (unsigned char)c, (char)u == c);
    printf("%d %d\n", c >> 1, u >> 1);
    c = 127;
    c++;
    printf("%d\n", c);
    u = 255;
    u++;
    printf("%d\n", u);
    const char *t = "\x80\xff\x7f\x01";
    int sum = 0, usum = 0;
    for (const char *p = t; *p; p++) {
        sum += *p;
        usum += (unsigned char)*p;
    }
    printf("%d %d\n", sum, usum);
    int count[256] = {0};
    const char *text = "caf\xc3\xa9 \xe2\x82\xac";
    for (const char *p = text; *p; p++)
        count[(unsigned char)*p]++;
    printf("%d %d %d %zu\n", count[0xc3], count[0xe2], count['c'], strlen(text));
    int *mid = count + 128;
    mid[(signed char)-128] = 5;
    mid[(signed char)127] = 6;
    printf("%d %d\n", count[0], count[255]);
    printf("%d %d\n", '\xff', (int)"\xff"[0]);
    printf("%d\n", strcmp("\x80", "\x7f") > 0);
    char arr[256];
    for (int i = 0; i < 256; i++)
        arr[i] = (char)i;
    long total = 0;
    for (int i = 0; i < 256; i++)
        total = total * 3 % 100003 + arr[i];
    printf("%ld\n", total);
    unsigned h = 0;
    for (int i = 0; i < 256; i++) {
        h = h * 31 + (unsigned)arr[i];
        h ^= (unsigned char)arr[i] << 3;
    }
    printf("%u\n", h);
    return 0;
}
