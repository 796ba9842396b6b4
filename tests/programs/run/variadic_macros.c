// Variadic macros, stringizing, token pasting, X-macros, recursive-free argument counting.
#include <stdio.h>
#include <string.h>

#define STR_(x) #x
#define STR(x) STR_(x)
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define LOG(fmt, ...) printf("%s: " fmt "\n", __func__, ##__VA_ARGS__)
#define NARGS(...) NARGS_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define NARGS_(a, b, c, d, e, f, g, h, n, ...) n
#define SUM(...) sum(NARGS(__VA_ARGS__), (int[]){__VA_ARGS__})
#define FOR_EACH2(f, a, b) f(a) f(b)
#define COLOURS(X) X(RED, 0xff0000) X(GREEN, 0x00ff00) X(BLUE, 0x0000ff) X(WHITE, 0xffffff)

#define AS_ENUM(n, v) n,
#define AS_NAME(n, v) #n,
#define AS_VALUE(n, v) [n] = v,
enum colour { COLOURS(AS_ENUM) COLOUR_COUNT };
static const char *const names[] = {COLOURS(AS_NAME)};
static const unsigned values[] = {COLOURS(AS_VALUE)};

static int sum(int n, const int *a) { int s = 0; while (n--) s = s * 2 + a[n]; return s; }

#define DEFINE_MIN(T) static T CAT(min_, T)(T a, T b) { return a < b ? a : b; }
DEFINE_MIN(int)
DEFINE_MIN(double)
#define VERSION 42
#define EMPTY
#define PAREN(x) ((x))
#define SQ(x) x * x

int main(void)
{
    LOG("no arguments");
    LOG("%d and %s", 5, "text");
    printf("%d %d %d\n", NARGS(a), NARGS(a, b, c), NARGS(1, 2, 3, 4, 5, 6, 7, 8));
    printf("%d %d\n", SUM(1), SUM(1, 2, 3, 4));
    for (int i = 0; i < COLOUR_COUNT; i++)
        printf("%s=%06x ", names[i], values[i]);
    puts("");
    printf("%d %g\n", min_int(3, -3), min_double(2.5, 1.5));
    printf("%s %s %s\n", STR(VERSION), STR_(VERSION), STR(CAT(VERSION, 7)));
    printf("%s\n", STR_(a "quoted\n" 'c' + b));
    printf("%d\n", CAT(1, 2) + CAT(0x, ff));
    printf("%d %d\n", SQ(3 + 1), PAREN(3 + 1) * 2);
    printf("[%s] [%s]\n", STR(EMPTY), STR_(  spaced   out  ));
    int x1 = 10, x2 = 20;
#define ADD1(v) v++;
    FOR_EACH2(ADD1, x1, x2)
    printf("%d %d\n", x1, x2);
#undef VERSION
#ifdef VERSION
    puts("still defined");
#elif defined(EMPTY) && !defined(NOPE) && (3 > 2 ? 1 : 0)
    puts("elif taken");
#endif
    printf("%d %s\n", __LINE__, strrchr(__FILE__, '.'));
#line 1000 "renamed.c"
    printf("%d %s\n", __LINE__, __FILE__);
    return __COUNTER__ + (int)sizeof(names) / 8;
}
