/* Calendar time, in UTC: conversions between seconds, broken-down time and text.
 * The functions that return a pointer share static memory, as in glibc: two
 * threads that use them at once do race. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, EPOCH_YEAR = 1970 };

char *tzname[2] = {"UTC", "UTC"};
long timezone;
int daylight;

void tzset(void) {}

/* Quotient and remainder with a remainder that is never negative. */
static long floor_divide(long a, long b) { return a / b - (a % b < 0); }
static long floor_remainder(long a, long b) { return a % b + (a % b < 0 ? b : 0); }

static bool is_leap(long year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Days before a month of a year that does not leap. */
static const short days_before[12] = {0,   31,  59,  90,  120, 151,
                                      181, 212, 243, 273, 304, 334};

static int day_of_year(long year, int month, int day) {
  return days_before[month] + (month > 1 && is_leap(year)) + day - 1;
}

/* Days from the epoch to the first of January. */
static long days_before_year(long year) {
  long before = year - 1;
  return 365 * (year - EPOCH_YEAR) +
         (floor_divide(before, 4) - floor_divide(EPOCH_YEAR - 1, 4)) -
         (floor_divide(before, 100) - floor_divide(EPOCH_YEAR - 1, 100)) +
         (floor_divide(before, 400) - floor_divide(EPOCH_YEAR - 1, 400));
}

static struct tm *break_down(time_t seconds, struct tm *result, const char *zone) {
  long days = floor_divide(seconds, DAY), rest = floor_remainder(seconds, DAY);
  /* A first guess at the year that is at most one too late. */
  long year = EPOCH_YEAR + floor_divide(days * 400, 146097) + 1;
  while (days_before_year(year) > days) year--;
  if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
    errno = EOVERFLOW;
    return NULL;
  }
  int in_year = (int)(days - days_before_year(year));
  int month = 11;
  while (day_of_year(year, month, 1) > in_year) month--;
  result->tm_year = (int)(year - 1900);
  result->tm_mon = month;
  result->tm_mday = in_year - day_of_year(year, month, 1) + 1;
  result->tm_hour = (int)(rest / HOUR);
  result->tm_min = (int)(rest % HOUR / MINUTE);
  result->tm_sec = (int)(rest % MINUTE);
  result->tm_wday = (int)floor_remainder(days + 4, 7);
  result->tm_yday = in_year;
  result->tm_isdst = 0;
  result->tm_gmtoff = 0;
  result->tm_zone = zone;
  return result;
}

struct tm *gmtime_r(const time_t *restrict seconds, struct tm *restrict result) {
  return break_down(*seconds, result, "GMT");
}

struct tm *localtime_r(const time_t *restrict seconds,
                       struct tm *restrict result) {
  return break_down(*seconds, result, "UTC");
}

static struct tm shared_time;

struct tm *gmtime(const time_t *seconds) {
  return gmtime_r(seconds, &shared_time);
}

struct tm *localtime(const time_t *seconds) {
  return localtime_r(seconds, &shared_time);
}

/* Fields may be out of range; they are put in order. */
static time_t put_together(struct tm *time, const char *zone) {
  long months = (long)time->tm_year * 12 + time->tm_mon;
  long year = floor_divide(months, 12) + 1900;
  long days = days_before_year(year) +
              day_of_year(year, (int)floor_remainder(months, 12), 1) +
              (long)time->tm_mday - 1;
  long seconds = days * DAY + (long)time->tm_hour * HOUR +
                 (long)time->tm_min * MINUTE + time->tm_sec;
  return break_down(seconds, time, zone) != NULL ? seconds : -1;
}

time_t mktime(struct tm *time) { return put_together(time, "UTC"); }
time_t timelocal(struct tm *time) { return put_together(time, "UTC"); }
time_t timegm(struct tm *time) { return put_together(time, "GMT"); }

double difftime(time_t later, time_t earlier) {
  time_t difference;
  if (__builtin_sub_overflow(later, earlier, &difference)) {
    return (double)later - (double)earlier;
  }
  return (double)difference;
}

/* "Thu Jan  1 00:00:00 1970\n" */
char *asctime_r(const struct tm *restrict time, char *restrict text) {
  static const char days[] = "SunMonTueWedThuFriSat";
  static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  int day = time->tm_wday, month = time->tm_mon;
  snprintf(text, 26, "%.3s %.3s%3d %.2d:%.2d:%.2d %ld\n",
           day < 0 || day > 6 ? "???" : days + 3 * day,
           month < 0 || month > 11 ? "???" : months + 3 * month, time->tm_mday,
           time->tm_hour, time->tm_min, time->tm_sec, 1900l + time->tm_year);
  return text;
}

char *ctime_r(const time_t *restrict seconds, char *restrict text) {
  struct tm time;
  return localtime_r(seconds, &time) != NULL ? asctime_r(&time, text) : NULL;
}

static char shared_text[32];

char *asctime(const struct tm *time) { return asctime_r(time, shared_text); }

char *ctime(const time_t *seconds) {
  return localtime_r(seconds, &shared_time) != NULL ? asctime(&shared_time) : NULL;
}
