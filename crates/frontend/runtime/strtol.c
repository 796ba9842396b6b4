/* Text to integers: strtol and its relatives, atoi, and the small arithmetic of
 * <stdlib.h> and <inttypes.h>. long, long long and intmax_t are the same type of
 * 64 bits here, so there is one signed and one unsigned conversion. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct number {
  uint64_t magnitude;
  bool negative, too_large;
};

static unsigned digit_value(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'z') return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'Z') return (unsigned)(c - 'A') + 10;
  return UINT_MAX;
}

/* Behind "0x" (or, in C23, "0b") if a digit follows, otherwise `text` itself. */
static const char *skip_prefix(const char *text, unsigned *base, bool binary) {
  if (*text == '0') {
    char letter = text[1] | ('a' - 'A');
    unsigned prefix_base = letter == 'x' ? 16 : letter == 'b' && binary ? 2 : 0;
    if (prefix_base != 0 && (*base == 0 || *base == prefix_base) &&
        digit_value(text[2]) < prefix_base) {
      *base = prefix_base;
      return text + 2;
    }
    if (*base == 0) *base = 8;
  }
  if (*base == 0) *base = 10;
  return text;
}

static struct number parse(const char *text, char **end, int any_base,
                           bool binary) {
  struct number number = {0};
  unsigned base = (unsigned)any_base;
  if (any_base < 0 || any_base == 1 || any_base > 36) {
    errno = EINVAL;
    return number;
  }
  const char *at = text;
  while (*at == ' ' || (*at >= '\t' && *at <= '\r')) at++;
  if (*at == '-' || *at == '+') number.negative = *at++ == '-';
  at = skip_prefix(at, &base, binary);
  bool any = false;
  for (;; at++) {
    unsigned digit = digit_value(*at);
    if (digit >= base) break;
    any = true;
    if (__builtin_mul_overflow(number.magnitude, (uint64_t)base,
                               &number.magnitude) ||
        __builtin_add_overflow(number.magnitude, (uint64_t)digit,
                               &number.magnitude)) {
      number.too_large = true;
    }
  }
  if (end != NULL) *end = (char *)(any ? at : text);
  return number;
}

static int64_t parse_signed(const char *text, char **end, int base, bool binary) {
  struct number number = parse(text, end, base, binary);
  uint64_t limit = (uint64_t)INT64_MAX + number.negative;
  if (number.too_large || number.magnitude > limit) {
    errno = ERANGE;
    number.magnitude = limit;
  }
  return (int64_t)(number.negative ? -number.magnitude : number.magnitude);
}

static uint64_t parse_unsigned(const char *text, char **end, int base,
                               bool binary) {
  struct number number = parse(text, end, base, binary);
  if (number.too_large) {
    errno = ERANGE;
    return UINT64_MAX;
  }
  return number.negative ? -number.magnitude : number.magnitude;
}

#define CONVERSION(type, name, convert, binary)                              \
  type name(const char *restrict text, char **restrict end, int base) {      \
    return (type)convert(text, end, base, binary);                           \
  }

CONVERSION(long, strtol, parse_signed, false)
CONVERSION(long long, strtoll, parse_signed, false)
CONVERSION(long long, strtoq, parse_signed, false)
CONVERSION(intmax_t, strtoimax, parse_signed, false)
CONVERSION(unsigned long, strtoul, parse_unsigned, false)
CONVERSION(unsigned long long, strtoull, parse_unsigned, false)
CONVERSION(unsigned long long, strtouq, parse_unsigned, false)
CONVERSION(uintmax_t, strtoumax, parse_unsigned, false)

/* C23 lets binary numbers begin with 0b. */
CONVERSION(long, __isoc23_strtol, parse_signed, true)
CONVERSION(long long, __isoc23_strtoll, parse_signed, true)
CONVERSION(intmax_t, __isoc23_strtoimax, parse_signed, true)
CONVERSION(unsigned long, __isoc23_strtoul, parse_unsigned, true)
CONVERSION(unsigned long long, __isoc23_strtoull, parse_unsigned, true)
CONVERSION(uintmax_t, __isoc23_strtoumax, parse_unsigned, true)

/* What glibc's inline functions call; grouping exists in no C locale. */
long __strtol_internal(const char *text, char **end, int base, int group) {
  (void)group;
  return parse_signed(text, end, base, false);
}

unsigned long __strtoul_internal(const char *text, char **end, int base,
                                 int group) {
  (void)group;
  return parse_unsigned(text, end, base, false);
}

int atoi(const char *text) { return (int)parse_signed(text, NULL, 10, false); }
long atol(const char *text) { return parse_signed(text, NULL, 10, false); }
long long atoll(const char *text) { return parse_signed(text, NULL, 10, false); }

/* Absolute values and quotients. The machine sees -INT_MIN and x / 0. */
int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }
intmax_t imaxabs(intmax_t value) { return value < 0 ? -value : value; }

div_t div(int a, int b) { return (div_t){.quot = a / b, .rem = a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){.quot = a / b, .rem = a % b}; }

lldiv_t lldiv(long long a, long long b) {
  return (lldiv_t){.quot = a / b, .rem = a % b};
}

imaxdiv_t imaxdiv(intmax_t a, intmax_t b) {
  return (imaxdiv_t){.quot = a / b, .rem = a % b};
}
