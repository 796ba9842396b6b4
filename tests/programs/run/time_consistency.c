// time, clock, difftime, gmtime, mktime and strftime used only for consistency, never for values.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void)
{
    time_t a = time(NULL), b;
    time(&b);
    printf("%d %d\n", b >= a, difftime(b, a) >= 0);
    clock_t c = clock();
    volatile unsigned x = 0;
    for (int i = 0; i < 1000; i++)
        x += (unsigned)i;
    printf("%d %u\n", clock() >= c, x);
    time_t t[] = {0, 86399, 951782400, 1000000000, 1709210096, -1, 4102444800};
    for (int i = 0; i < 7; i++) {
        struct tm tm;
        char s[64];
        gmtime_r(&t[i], &tm);
        size_t n = strftime(s, sizeof s, "%Y-%m-%d %H:%M:%S %a %b %j %U", &tm);
        printf("%ld %s (%zu) wday %d yday %d\n", (long)t[i], s, n, tm.tm_wday, tm.tm_yday);
    }
    struct tm m;
    memset(&m, 0, sizeof m);
    m.tm_year = 124;
    m.tm_mon = 13;                 /* normalised by gmtime below through arithmetic */
    printf("%d\n", (m.tm_mon / 12) + m.tm_year + 1900);
    char small[5];
    time_t z = 0;
    struct tm e;
    gmtime_r(&z, &e);
    printf("%zu %zu\n", strftime(small, sizeof small, "%Y", &e), strftime(small, sizeof small, "%Y-%m", &e));
    strftime(small, sizeof small, "%y", &e);
    puts(small);
    struct timespec ts1, ts2;
    clock_gettime(CLOCK_MONOTONIC, &ts1);
    clock_gettime(CLOCK_MONOTONIC, &ts2);
    printf("%d\n", ts2.tv_sec > ts1.tv_sec || (ts2.tv_sec == ts1.tv_sec && ts2.tv_nsec >= ts1.tv_nsec));
    printf("%d\n", ts1.tv_nsec >= 0 && ts1.tv_nsec < 1000000000);
    printf("%ld\n", (long)CLOCKS_PER_SEC);
    return 0;
}
