// u8, u and U string and character literals, escapes, concatenation and sizes.
#include <stdint.h>
#include <stdio.h>
#include <uchar.h>

static unsigned h8(const char *s) { unsigned h = 7; while (*s) h = h * 33 + (unsigned char)*s++; return h; }
static unsigned h16(const char16_t *s) { unsigned h = 7; while (*s) h = h * 33 + *s++; return h; }
static unsigned h32(const char32_t *s) { unsigned h = 7; while (*s) h = h * 33 + *s++; return h; }

int main(void)
{
    printf("%zu %zu %zu %zu\n", sizeof u8"aé漢😀", sizeof u"aé漢😀", sizeof U"aé漢😀", sizeof L"aé漢😀");
    printf("%u %u %u\n", h8((const char *)u8"aé漢😀"), h16(u"aé漢😀"), h32(U"aé漢😀"));
    const char16_t *p = u"\U0001F600x";
    printf("%04x %04x %04x\n", p[0], p[1], p[2]);
    const char32_t *q = U"\U0001F600\u00e9\x41\101";
    printf("%x %x %x %x\n", q[0], q[1], q[2], q[3]);
    printf("%x %x %x\n", (unsigned)u'é', (unsigned)U'😀', (unsigned)L'漢');
    const unsigned char *b = (const unsigned char *)"\u00e9\U0001F600";
    for (; *b; b++)
        printf("%02x ", *b);
    puts("");
    printf("%d %d %d %d %d %d %d\n", '\a', '\b', '\f', '\n', '\r', '\t', '\v');
    printf("%d %d %d %d %d\n", '\\', '\'', '"', '\?', '\0');
    printf("%d %d %d\n", '\x7f', '\177', (unsigned char)'\xff');
    printf("%d %d\n", 'ab' == ('a' << 8 | 'b'), (int)sizeof 'a');
    const char joined[] = "one" "\x41" "B" "" "two";
    printf("%s %zu\n", joined, sizeof joined);
    const char embedded[] = "a\0b\0\0c";
    size_t zeros = 0;
    for (size_t i = 0; i < sizeof embedded; i++)
        zeros += embedded[i] == 0;
    printf("%zu %zu\n", sizeof embedded, zeros);
    const char *long_line = "first \
continued";
    printf("%s\n", long_line);
    printf("%zu %zu\n", sizeof(char16_t), sizeof(char32_t));
    const char16_t mixed[] = u"wide " "narrow";
    printf("%zu %c\n", sizeof mixed / sizeof *mixed, (char)mixed[10]);
    return 0;
}
