// flags: -std=c23
// C23 preprocessor and literals: elifdef, warning-free __VA_OPT__, u8 characters, hex floats, __has_include.
#include <stdio.h>
#include <string.h>

#define LOG(fmt, ...) printf("[" fmt "]\n" __VA_OPT__(, ) __VA_ARGS__)
#define COUNT(...) (0 __VA_OPT__(+1 + commas(#__VA_ARGS__)))
#define DECL(name, ...) static const int name[] = {-1 __VA_OPT__(, ) __VA_ARGS__}

static int commas(const char *s) { int n = 0; while (*s) n += *s++ == ','; return n; }

DECL(empty);
DECL(three, 7, 8, 9);

#define MODE_B
#ifdef MODE_A
#define MODE "a"
#elifdef MODE_B
#define MODE "b"
#elifndef MODE_C
#define MODE "not c"
#else
#define MODE "c"
#endif

#if __has_include(<stdio.h>) && !__has_include(<no/such/header.h>)
#define INCLUDE_OK 1
#else
#define INCLUDE_OK 0
#endif

int main(void)
{
    LOG("plain");
    LOG("%d-%s", 5, "args");
    printf("%d %d %d\n", COUNT(), COUNT(a), COUNT(a, b, c));
    printf("%zu %zu %d\n", sizeof empty / sizeof *empty, sizeof three / sizeof *three, three[3]);
    printf("%s %d %d\n", MODE, INCLUDE_OK, __STDC_VERSION__ >= 202000L);
    unsigned char u = u8'x';
    printf("%c %zu\n", u, sizeof(u8"h\u00e9"));
    printf("%g %g\n", 0x1.8p3, 0x.8p-1);
    char buf[8] = "abc";
    printf("%d %d\n", true + true, false);
    printf("%zu\n", strlen(buf));
    static_assert(true);
    alignas(16) char al[16] = "aligned";
    printf("%s %zu\n", al, alignof(double));
    thread_local static int tl = 5;
    printf("%d\n", ++tl);
    return 0;
}
