/* Text to floating-point numbers: strtod, strtof, atof. The scan is done here,
 * the rounding by the machine, which gets a normalised local copy: digits
 * without a point, then an exponent. A number of any length fits, because no more
 * than 800 digits can matter: what follows them is replaced by a single digit
 * that says whether all of it was zero.
 *
 * Deliberate decision: a decimal number with a subnormal result counts as
 * inexact, hence ERANGE. (An exact one has more than 700 digits.) long double is
 * unsupported; strtold() is declared with another type to keep it out. */
#include "selvedge_builtins.h"

#include <errno.h>
#include <float.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST_DIGITS = 800, MOST_PAYLOAD = 64, EXPONENT_LIMIT = 99999 };

struct number {
  const char *end; /* of the text; NULL: there was no number */
  bool finite, zero, hexadecimal;
  long lowest_bit; /* hexadecimal only: the lowest set bit is 2 to this */
  size_t length;
  char local[MOST_DIGITS + 32];
};

static void add(struct number *number, char c) {
  number->local[number->length++] = c;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

static int digit_value(char c, bool hexadecimal) {
  if (c >= '0' && c <= '9') return c - '0';
  c = lower(c);
  return hexadecimal && c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Behind `word` (in small letters) if the text starts with it, else NULL. */
static const char *skip_word(const char *text, const char *word) {
  for (; *word != 0; text++, word++) {
    if (lower(*text) != *word) return NULL;
  }
  return text;
}

/* "nan" or "nan(payload)"; a payload that is too long is left away. */
static void scan_nan(struct number *number, const char *at) {
  const char *end = at;
  if (*end == '(') {
    end++;
    while (digit_value(*end, false) >= 0 || *end == '_' ||
           (lower(*end) >= 'a' && lower(*end) <= 'z')) {
      end++;
    }
    end = *end == ')' ? end + 1 : at;
  }
  for (const char *word = "nan"; *word != 0; word++) add(number, *word);
  if (end - at <= MOST_PAYLOAD) {
    for (const char *c = at; c != end; c++) add(number, *c);
  }
  number->end = end;
}

/* The exponent behind e or p, if there is one, kept within bounds that no text
 * in memory can bring back. */
static long scan_exponent(const char **text, char letter) {
  const char *at = *text;
  if (lower(*at) != letter) return 0;
  at++;
  bool negative = *at == '-';
  if (*at == '-' || *at == '+') at++;
  if (digit_value(*at, false) < 0) return 0;
  long exponent = 0;
  for (; digit_value(*at, false) >= 0; at++) {
    if (exponent < 100000000000000000) exponent = exponent * 10 + (*at - '0');
  }
  *text = at;
  return negative ? -exponent : exponent;
}

static void add_exponent(struct number *number, char letter, long exponent) {
  char digits[8];
  size_t count = 0;
  add(number, letter);
  if (exponent < 0) add(number, '-');
  for (exponent = exponent < 0 ? -exponent : exponent; count == 0 || exponent != 0;
       exponent /= 10) {
    digits[count++] = (char)('0' + exponent % 10);
  }
  while (count > 0) add(number, digits[--count]);
}

static void scan_digits(struct number *number, const char *at) {
  bool hexadecimal = number->hexadecimal;
  bool any = false, point = false, dropped = false;
  long scale = 0; /* digits to the right of the point, negated */
  size_t start = number->length;
  for (;; at++) {
    if (*at == '.' && !point) {
      point = true;
      continue;
    }
    int digit = digit_value(*at, hexadecimal);
    if (digit < 0) break;
    any = true;
    if (point) scale--;
    if (number->length == start && digit == 0) continue;
    if (number->length - start < MOST_DIGITS) {
      add(number, *at);
    } else {
      scale++;
      if (digit != 0) dropped = true;
    }
  }
  if (!any) return;
  if (dropped) {
    add(number, '1');
    scale--;
  }
  number->zero = number->length == start;
  if (number->zero) add(number, '0');
  long exponent = scan_exponent(&at, hexadecimal ? 'p' : 'e');
  number->end = at;
  exponent += hexadecimal ? 4 * scale : scale;
  if (hexadecimal && !number->zero) {
    size_t last = number->length - 1;
    number->lowest_bit = exponent;
    for (; number->local[last] == '0'; last--) number->lowest_bit += 4;
    unsigned digit = (unsigned)digit_value(number->local[last], true);
    number->lowest_bit += __builtin_ctz(digit);
  }
  if (exponent > EXPONENT_LIMIT) exponent = EXPONENT_LIMIT;
  if (exponent < -EXPONENT_LIMIT) exponent = -EXPONENT_LIMIT;
  if (number->zero) exponent = 0;
  add_exponent(number, hexadecimal ? 'p' : 'e', exponent);
}

static void scan(struct number *number, const char *text) {
  number->end = NULL;
  number->finite = number->zero = number->hexadecimal = false;
  number->length = 0;
  while (*text == ' ' || (*text >= '\t' && *text <= '\r')) text++;
  if (*text == '-') add(number, '-');
  if (*text == '-' || *text == '+') text++;
  const char *behind = skip_word(text, "inf");
  if (behind != NULL) {
    const char *longer = skip_word(behind, "inity");
    for (const char *word = "inf"; *word != 0; word++) add(number, *word);
    number->end = longer != NULL ? longer : behind;
    return;
  }
  behind = skip_word(text, "nan");
  if (behind != NULL) {
    scan_nan(number, behind);
    return;
  }
  number->finite = true;
  if (text[0] == '0' && lower(text[1]) == 'x' &&
      (digit_value(text[2], true) >= 0 ||
       (text[2] == '.' && digit_value(text[3], true) >= 0))) {
    number->hexadecimal = true;
    add(number, '0');
    add(number, 'x');
    text += 2;
  }
  scan_digits(number, text);
}

/* Whether a finite number did not fit: `magnitude` is what it became. */
static bool out_of_range(const struct number *number, double magnitude,
                         double largest, double smallest_normal,
                         long lowest_exponent) {
  if (!number->finite || number->zero) return false;
  if (magnitude > largest || magnitude == 0) return true;
  if (magnitude >= smallest_normal) return false;
  return !number->hexadecimal || number->lowest_bit < lowest_exponent;
}

double strtod(const char *restrict text, char **restrict end) {
  struct number number;
  scan(&number, text);
  if (end != NULL) *end = (char *)(number.end != NULL ? number.end : text);
  if (number.end == NULL) return 0;
  double value = __selvedge_parse_double(number.local, number.length);
  if (out_of_range(&number, value < 0 ? -value : value, DBL_MAX, DBL_MIN, -1074)) {
    errno = ERANGE;
  }
  return value;
}

float strtof(const char *restrict text, char **restrict end) {
  struct number number;
  scan(&number, text);
  if (end != NULL) *end = (char *)(number.end != NULL ? number.end : text);
  if (number.end == NULL) return 0;
  float value = __selvedge_parse_float(number.local, number.length);
  if (out_of_range(&number, value < 0 ? -value : value, FLT_MAX, FLT_MIN, -149)) {
    errno = ERANGE;
  }
  return value;
}

double atof(const char *text) { return strtod(text, NULL); }

double __strtod_internal(const char *text, char **end, int group) {
  (void)group;
  return strtod(text, end);
}

_Noreturn void strtold(const char *text, char **end) {
  (void)text, (void)end;
  __selvedge_unsupported("the function `strtold`");
}
