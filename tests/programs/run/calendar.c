// Gregorian calendar arithmetic: day of week, Julian day numbers, month printing, Easter.
#include <stdio.h>

static int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }
static int mdays(int y, int m) { static const char d[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}; return d[m - 1] + (m == 2 && leap(y)); }

static long to_days(int y, int m, int d)
{
    y -= m <= 2;
    long era = (y >= 0 ? y : y - 399) / 400;
    unsigned yoe = (unsigned)(y - era * 400);
    unsigned doy = (153u * (unsigned)(m + (m > 2 ? -3 : 9)) + 2) / 5 + (unsigned)d - 1;
    unsigned doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    return era * 146097 + (long)doe - 719468;
}

static void from_days(long z, int *y, int *m, int *d)
{
    z += 719468;
    long era = (z >= 0 ? z : z - 146096) / 146097;
    unsigned doe = (unsigned)(z - era * 146097);
    unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    *d = (int)(doy - (153 * mp + 2) / 5 + 1);
    *m = (int)(mp < 10 ? mp + 3 : mp - 9);
    *y = (int)(yoe + era * 400) + (*m <= 2);
}
static int weekday(long days) { return (int)(((days + 4) % 7 + 7) % 7); }

static void month(int y, int m)
{
    printf("   %d-%02d\nSu Mo Tu We Th Fr Sa\n", y, m);
    int w = weekday(to_days(y, m, 1));
    printf("%*s", w * 3, "");
    for (int d = 1; d <= mdays(y, m); d++, w++)
        printf("%2d%c", d, w % 7 == 6 || d == mdays(y, m) ? '\n' : ' ');
}

static void easter(int y)
{
    int a = y % 19, b = y / 100, c = y % 100, d = b / 4, e = b % 4, g = (8 * b + 13) / 25;
    int h = (19 * a + b - d - g + 15) % 30, i = c / 4, k = c % 4, l = (32 + 2 * e + 2 * i - h - k) % 7;
    int m = (a + 11 * h + 22 * l) / 451, t = h + l - 7 * m + 114;
    printf("%d: %d-%02d ", y, t / 31, t % 31 + 1);
}

int main(void)
{
    month(2024, 2);
    month(1900, 2);
    month(2023, 10);
    long d[] = {0, -1, 11016, 19782, -719468, -800000, 2932896};
    for (int i = 0; i < 7; i++) {
        int y, m, dd;
        from_days(d[i], &y, &m, &dd);
        printf("%ld = %d-%02d-%02d wd %d back %ld\n", d[i], y, m, dd, weekday(d[i]), to_days(y, m, dd));
    }
    int bad = 0, fri13 = 0;
    for (int y = 1995; y < 2010; y++)
        for (int m = 1; m <= 12; m++) {
            bad += to_days(y, m, 1) + mdays(y, m) != (m == 12 ? to_days(y + 1, 1, 1) : to_days(y, m + 1, 1));
            fri13 += weekday(to_days(y, m, 13)) == 5;
        }
    printf("bad %d friday-13ths %d\n", bad, fri13);
    for (int y = 2000; y < 2006; y++)
        easter(y);
    puts("");
    return 0;
}
