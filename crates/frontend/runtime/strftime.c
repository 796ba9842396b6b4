/* strftime in the C locale, with glibc's flags (_ - 0 ^ #) and field widths. */
#define _GNU_SOURCE
#include "model.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const day_names[] = {
  "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const month_names[] = {
  "January", "February", "March",     "April",   "May",      "June",
  "July",    "August",   "September", "October", "November", "December"};

enum { LONGEST = 128 };

/* One conversion: the text, and how to pad it if the format does not say. */
struct piece {
  char text[LONGEST];
  bool number;
  char padding;
  int digits;
};

static const char *day_name(int day) {
  return day < 0 || day > 6 ? "?" : day_names[day];
}

static const char *month_name(int month) {
  return month < 0 || month > 11 ? "?" : month_names[month];
}

static void set_text(struct piece *piece, const char *text, size_t limit) {
  size_t used = 0;
  for (; used < LONGEST - 1 && used < limit && text[used] != 0; used++) {
    piece->text[used] = text[used];
  }
  piece->text[used] = 0;
}

static void set_number(struct piece *piece, long value, int digits, char padding) {
  snprintf(piece->text, LONGEST, "%ld", value);
  piece->number = true;
  piece->digits = digits;
  piece->padding = padding;
}

static long floor_divide(long a, long b) { return a / b - (a % b < 0); }

static int days_in_year(long year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365;
}

/* The week of ISO 8601, and through `year` the year it belongs to. */
static int iso_week(const struct tm *time, long *year) {
  *year = 1900l + time->tm_year;
  int monday_based = (time->tm_wday + 6) % 7;
  int week = (time->tm_yday - monday_based + 10) / 7;
  if (week < 1) {
    --*year;
    week = (time->tm_yday + days_in_year(*year) - monday_based + 10) / 7;
  } else if (week == 53) {
    /* The last days of the year may belong to week 1 of the next: they do if
     * its Thursday is in the next year. */
    if (time->tm_yday - monday_based + 3 >= days_in_year(*year)) {
      ++*year;
      week = 1;
    }
  }
  return week;
}

static int hour12(int hour) {
  int modulo = hour % 12;
  return modulo == 0 ? 12 : modulo;
}

static long positive(long value, long modulus) {
  long rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

/* False if nobody knows the conversion. */
static bool convert(struct piece *piece, char letter, const struct tm *time) {
  long year = 1900l + time->tm_year, week_year;
  piece->number = false;
  piece->padding = ' ';
  piece->digits = 0;
  piece->text[0] = 0;
  const char *format = NULL;
  switch (letter) {
    case '%': set_text(piece, "%", 1); break;
    case 'n': set_text(piece, "\n", 1); break;
    case 't': set_text(piece, "\t", 1); break;
    case 'a': set_text(piece, day_name(time->tm_wday), 3); break;
    case 'A': set_text(piece, day_name(time->tm_wday), LONGEST); break;
    case 'b':
    case 'h': set_text(piece, month_name(time->tm_mon), 3); break;
    case 'B': set_text(piece, month_name(time->tm_mon), LONGEST); break;
    case 'p': set_text(piece, time->tm_hour > 11 ? "PM" : "AM", 2); break;
    case 'P': set_text(piece, time->tm_hour > 11 ? "pm" : "am", 2); break;
    case 'C': set_number(piece, floor_divide(year, 100), 1, '0'); break;
    case 'd': set_number(piece, time->tm_mday, 2, '0'); break;
    case 'e': set_number(piece, time->tm_mday, 2, ' '); break;
    case 'H': set_number(piece, time->tm_hour, 2, '0'); break;
    case 'I': set_number(piece, hour12(time->tm_hour), 2, '0'); break;
    case 'k': set_number(piece, time->tm_hour, 2, ' '); break;
    case 'l': set_number(piece, hour12(time->tm_hour), 2, ' '); break;
    case 'j': set_number(piece, time->tm_yday + 1, 3, '0'); break;
    case 'm': set_number(piece, time->tm_mon + 1, 2, '0'); break;
    case 'M': set_number(piece, time->tm_min, 2, '0'); break;
    case 'S': set_number(piece, time->tm_sec, 2, '0'); break;
    case 'u': set_number(piece, (time->tm_wday + 6) % 7 + 1, 1, '0'); break;
    case 'w': set_number(piece, time->tm_wday, 1, '0'); break;
    case 'U':
      set_number(piece, (time->tm_yday - time->tm_wday + 7) / 7, 2, '0');
      break;
    case 'W':
      set_number(piece, (time->tm_yday - (time->tm_wday + 6) % 7 + 7) / 7, 2, '0');
      break;
    case 'V': set_number(piece, iso_week(time, &week_year), 2, '0'); break;
    case 'G':
      iso_week(time, &week_year);
      set_number(piece, week_year, 1, '0');
      break;
    case 'g':
      iso_week(time, &week_year);
      set_number(piece, positive(week_year, 100), 2, '0');
      break;
    case 'y': set_number(piece, positive(year, 100), 2, '0'); break;
    case 'Y': set_number(piece, year, 1, '0'); break;
    case 's': {
      struct tm copy = *time;
      set_number(piece, mktime(&copy), 1, '0');
      break;
    }
    case 'z':
      if (time->tm_isdst >= 0) {
        long minutes = time->tm_gmtoff / 60;
        long size = minutes < 0 ? -minutes : minutes;
        snprintf(piece->text, LONGEST, "%c%04ld", time->tm_gmtoff < 0 ? '-' : '+',
                 size / 60 * 100 + size % 60);
      }
      break;
    case 'Z':
      set_text(piece, time->tm_zone != NULL ? time->tm_zone : "", LONGEST);
      break;
    case 'c': format = "%a %b %e %H:%M:%S %Y"; break;
    case 'D':
    case 'x': format = "%m/%d/%y"; break;
    case 'F': format = "%Y-%m-%d"; break;
    case 'r': format = "%I:%M:%S %p"; break;
    case 'R': format = "%H:%M"; break;
    case 'T':
    case 'X': format = "%H:%M:%S"; break;
    default: return false;
  }
  if (format != NULL) strftime(piece->text, LONGEST, format, time);
  return true;
}

static char upper(char c) { return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c; }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

/* Writes a piece. `flag` is one of _ - 0 or 0 if there was none. */
static void put_piece(struct model_sink *sink, const struct piece *piece, char flag,
                      int width, bool to_upper, bool to_lower) {
  const char *text = piece->text;
  long length = (long)strlen(text);
  char padding = flag == '_' ? ' ' : flag == '0' ? '0' : piece->padding;
  if (width < piece->digits) width = piece->digits;
  if (flag == '-') width = 0;
  if (piece->number && *text == '-' && padding == '0') {
    __model_put(sink, *text++);
  }
  __model_put_padding(sink, padding, width - length);
  for (; *text != 0; text++) {
    __model_put(sink, to_upper ? upper(*text) : to_lower ? lower(*text) : *text);
  }
}

size_t strftime(char *restrict to, size_t size, const char *restrict format,
                const struct tm *restrict time) {
  struct model_sink sink;
  __model_sink_to_memory(&sink, to, size > 0 ? size - 1 : 0);
  while (*format != 0) {
    if (*format != '%') {
      __model_put(&sink, *format++);
      continue;
    }
    const char *start = format++;
    char flag = 0;
    bool to_upper = false, swap = false, to_lower = false;
    for (;; format++) {
      if (*format == '_' || *format == '-' || *format == '0') flag = *format;
      else if (*format == '^') to_upper = true;
      else if (*format == '#') swap = true;
      else break;
    }
    int width = 0;
    for (; *format >= '0' && *format <= '9'; format++) {
      if (width < 100000) width = width * 10 + (*format - '0');
    }
    if (*format == 'E' || *format == 'O') format++;
    char letter = *format;
    if (letter != 0) format++;
    if (swap && (letter == 'p' || letter == 'Z')) to_lower = true;
    else if (swap && memchr("aAbBh", letter, 5) != NULL) to_upper = true;
    struct piece piece;
    if (convert(&piece, letter, time)) {
      put_piece(&sink, &piece, flag, width, to_upper, to_lower);
    } else {
      for (; start != format; start++) __model_put(&sink, *start);
    }
  }
  if (size == 0 || sink.total >= size) return 0;
  to[sink.used] = 0;
  return sink.total;
}
