// printf integer conversions with every length modifier, flag, width and precision.
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

int main(void)
{
    int v[] = {0, 1, -1, 42, -1234, INT_MAX, INT_MIN};
    for (int i = 0; i < 7; i++) {
        printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d] [%+08d]\n",
               v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
        unsigned u = (unsigned)v[i];
        printf("[%u] [%o] [%x] [%X] [%#o] [%#x] [%#X] [%010x] [%#10x] [%-#10x] [%.4x]\n", u, u, u, u, u, u, u, u, u, u, u);
    }
    printf("[%.0d] [%.0u] [%.0x] [%#.0o]\n", 0, 0u, 0u, 0u);
    printf("%hhd %hhu %hd %hu\n", (signed char)-128, (unsigned char)200, (short)-32768, (unsigned short)65535);
    printf("%hhd %hu\n", (signed char)(300 - 256), (unsigned short)(70000 - 65536));
    printf("%ld %lu %lld %llu\n", LONG_MIN, ULONG_MAX, LLONG_MIN, ULLONG_MAX);
    printf("%lx %lo %llX\n", ULONG_MAX, 8ul, 0xabcdefULL);
    printf("%zd %zu %td %jd %ju\n", (size_t)5, (size_t)-1, (ptrdiff_t)-9, (intmax_t)-77, (uintmax_t)77);
    printf("%" PRId8 " %" PRIu16 " %" PRIx32 " %" PRId64 " %" PRIX64 "\n", (int8_t)-8, (uint16_t)16, (uint32_t)32, (int64_t)-64, (uint64_t)640);
    printf("[%*d] [%-*d] [%.*d] [%*.*d]\n", 6, 1, 6, 2, 4, 3, 8, 4, 5);
    printf("[%*d] [%.*d]\n", -6, 7, -1, 8);
    printf("%c%c%c [%3c] [%-3c]\n", 'a', 98, 'C', 'd', 'e');
    printf("[%s] [%10s] [%-10s] [%.2s] [%10.3s] [%.0s]\n", "str", "str", "str", "str", "string", "gone");
    printf("%% 100%%|\n");
    printf("%i %+i % i\n", 5, 5, 5);
    printf("[%+5d] [%-+5d] [% 05d] [%+.2d]\n", 3, 3, 3, 3);
    int n = printf("%d%s%c\n", 12345, "abc", '!');
    printf("%d\n", n);
    return 0;
}
