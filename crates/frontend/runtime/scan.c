/* The engine behind the scanf family. It follows glibc in the details where
 * implementations differ: "1e" is read as 1 and the e is gone, "0x" as 0, and
 * integers that do not fit saturate at 64 bits before they are cut to size. */
#define _GNU_SOURCE
#include "model.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

/* How a directive ended. */
enum outcome { DONE, NO_MATCH, NO_INPUT, NO_MEMORY };

struct directive {
  bool suppress, allocate, wide;
  int position; /* of the argument, 0: the next */
  int width;    /* -1 if none */
  int size;     /* of an integer, in bytes */
  bool extended;
  bool is_long;
  char letter;
};

static bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(int c) { return c >= '0' && c <= '9'; }
static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

static int digit_value(int c) {
  if (is_digit(c)) return c - '0';
  c = lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* One character forward and, if it was not EOF, back again. */

static int next(struct model_source *source) {
  int c;
  if (source->text == NULL) {
    c = fgetc(source->stream);
  } else {
    c = (unsigned char)*source->text;
    if (c == 0) c = EOF;
    else source->text++;
  }
  if (c != EOF) source->consumed++;
  return c;
}

static void back(struct model_source *source, int c) {
  if (c == EOF) return;
  source->consumed--;
  if (source->text != NULL) source->text--;
  else ungetc(c, source->stream);
}

/* The first character that is no white space. */
static int skip_space(struct model_source *source) {
  int c = next(source);
  while (is_space(c)) c = next(source);
  return c;
}

/* The next character if the field width lets us have it, otherwise EOF. */
static int next_in_field(struct model_source *source, int *width) {
  if (*width == 0) return EOF;
  int c = next(source);
  if (*width > 0 && c != EOF) --*width;
  return c;
}

/* Reading the format. */

/* A number that is too large is as good as a billion. */
static int read_number(const char **text) {
  int number = 0;
  for (; is_digit(**text); ++*text) {
    number = number < 100000000 ? number * 10 + (**text - '0') : 1000000000;
  }
  return number;
}

static const char *read_directive(const char *format, struct directive *d) {
  *d = (struct directive){.width = -1, .size = sizeof(int)};
  const char *ahead = format;
  int number = read_number(&ahead);
  if (number > 0 && *ahead == '$') {
    d->position = number;
    format = ahead + 1;
  }
  for (;; format++) {
    if (*format == '*') d->suppress = true;
    else if (*format != '\'' && *format != 'I') break;
  }
  number = read_number(&format);
  if (number > 0) d->width = number;
  if (*format == 'm') d->allocate = true, format++;
  switch (*format) {
    case 'h':
      d->size = sizeof(short);
      if (*++format == 'h') d->size = sizeof(char), format++;
      break;
    case 'l':
      d->size = sizeof(long);
      d->wide = d->is_long = true;
      if (*++format == 'l') d->extended = true, format++;
      break;
    case 'L':
    case 'q':
      d->size = sizeof(long long);
      d->extended = true;
      format++;
      break;
    case 'j':
    case 'z':
    case 'Z':
    case 't':
      d->size = sizeof(intmax_t);
      format++;
      break;
  }
  d->letter = *format;
  if (*format == 'C' || *format == 'S') {
    d->letter = (char)lower(*format);
    d->wide = true;
  }
  return *format != 0 ? format + 1 : format;
}

/* The members of "[...]" as a table; the format behind it, or NULL if the
 * bracket never closes. */
static const char *read_set(const char *format, bool *member) {
  bool inverted = *format == '^';
  if (inverted) format++;
  for (int i = 0; i < 256; i++) member[i] = inverted;
  const char *first = format;
  for (; *format != 0 && (*format != ']' || format == first); format++) {
    int from = (unsigned char)*format, to = from;
    if (format[1] == '-' && format[2] != 0 && format[2] != ']') {
      int last = (unsigned char)format[2];
      if (from <= last) {
        to = last;
        format += 2;
      }
    }
    for (int i = from; i <= to; i++) member[i] = !inverted;
  }
  return *format != 0 ? format + 1 : NULL;
}

/* Arguments: all of them are pointers, so any position is easy to reach. */
static void *take(va_list *arguments, va_list *first, const struct directive *d) {
  if (d->suppress) return NULL;
  if (d->position == 0) return va_arg(*arguments, void *);
  va_list walk;
  va_copy(walk, *first);
  void *pointer = NULL;
  for (int i = 0; i < d->position; i++) pointer = va_arg(walk, void *);
  va_end(walk);
  return pointer;
}

/* Numbers. */

static void store_integer(void *to, int64_t value, int size) {
  switch (size) {
    case 1: *(int8_t *)to = (int8_t)value; break;
    case 2: *(int16_t *)to = (int16_t)value; break;
    case 4: *(int32_t *)to = (int32_t)value; break;
    default: *(int64_t *)to = value; break;
  }
}

static bool read_nil(struct model_source *source, int c, int width) {
  if (c != '(' || (width >= 0 && width < 4)) return false;
  for (const char *rest = "nil)"; *rest != 0; rest++) {
    if (lower(next(source)) != *rest) return false;
  }
  return true;
}

static int64_t saturate(uint64_t magnitude, bool negative, bool too_large,
                        bool is_signed) {
  if (is_signed) {
    uint64_t limit = (uint64_t)INT64_MAX + negative;
    if (too_large || magnitude > limit) {
      errno = ERANGE;
      magnitude = limit;
    }
  } else if (too_large) {
    errno = ERANGE;
    return -1;
  }
  return (int64_t)(negative ? -magnitude : magnitude);
}

static enum outcome scan_integer(struct model_source *source,
                                 const struct directive *d, void *to,
                                 unsigned base, bool binary) {
  int width = d->width;
  int c = skip_space(source);
  if (c == EOF) return NO_INPUT;
  if (width > 0) width--;
  bool signed_text = c == '-' || c == '+', negative = c == '-';
  bool any = false, too_large = false;
  if (signed_text) c = next_in_field(source, &width);
  if (c == '0') {
    any = true;
    c = next_in_field(source, &width);
    if (lower(c) == 'x' && (base == 0 || base == 16)) {
      base = 16;
      c = next_in_field(source, &width);
    } else if (lower(c) == 'b' && binary && (base == 0 || base == 2)) {
      base = 2;
      c = next_in_field(source, &width);
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0) base = 10;
  uint64_t magnitude = 0;
  for (;; c = next_in_field(source, &width)) {
    unsigned digit = (unsigned)digit_value(c);
    if (digit >= base) break;
    any = true;
    if (__builtin_mul_overflow(magnitude, (uint64_t)base, &magnitude) ||
        __builtin_add_overflow(magnitude, (uint64_t)digit, &magnitude)) {
      too_large = true;
    }
  }
  if (!any && !(d->letter == 'p' && !signed_text && read_nil(source, c, width))) {
    back(source, c);
    return NO_MATCH;
  }
  if (any) back(source, c);
  if (to == NULL) return DONE;
  bool is_signed = d->letter == 'd' || d->letter == 'i';
  store_integer(to, saturate(magnitude, negative, too_large, is_signed),
                d->letter == 'p' ? 8 : d->size);
  return DONE;
}

/* The text of a floating-point number, for strtod. */
enum { MOST_REAL_TEXT = 1200 };

struct real_text {
  char text[MOST_REAL_TEXT];
  size_t length;
};

static void add(struct real_text *real, int c) {
  if (real->length == MOST_REAL_TEXT - 1) {
    __selvedge_unsupported("scanf of a floating-point number of this length");
  }
  real->text[real->length++] = (char)c;
}

/* The rest of a word of which `c` is the first letter. */
static bool scan_word(struct model_source *source, struct real_text *real,
                      int *width, const char *rest) {
  for (; *rest != 0; rest++) {
    int c = next_in_field(source, width);
    if (lower(c) != *rest) return false;
    add(real, c);
  }
  return true;
}

static bool scan_digits(struct model_source *source, struct real_text *real,
                        int c, int *width) {
  size_t start = real->length;
  bool hexadecimal = false, digit = false, point = false, exponent = false;
  char exponent_letter = 'e';
  if (c == '0') {
    add(real, c);
    c = next_in_field(source, width);
    if (lower(c) == 'x') {
      add(real, c);
      hexadecimal = true;
      exponent_letter = 'p';
      c = next_in_field(source, width);
    } else {
      digit = true;
    }
  }
  for (; c != EOF; c = next_in_field(source, width)) {
    if (is_digit(c) || (hexadecimal && !exponent && digit_value(c) < 16)) {
      add(real, c);
      digit = true;
    } else if (exponent && real->text[real->length - 1] == exponent_letter &&
               (c == '-' || c == '+')) {
      add(real, c);
    } else if (digit && !exponent && lower(c) == exponent_letter) {
      add(real, exponent_letter);
      exponent = point = true;
    } else if (!point && c == '.') {
      add(real, c);
      point = true;
    } else {
      back(source, c);
      break;
    }
  }
  return real->length > start + (hexadecimal ? 2 : 0);
}

static enum outcome scan_real(struct model_source *source,
                              const struct directive *d, void *to) {
  if (d->extended) __selvedge_unsupported("scanf of a long double");
  struct real_text real;
  real.length = 0;
  int width = d->width;
  int c = skip_space(source);
  if (c == EOF) return NO_INPUT;
  if (width > 0) width--;
  if (c == '-' || c == '+') {
    add(&real, c);
    c = next_in_field(source, &width);
    if (c == EOF) return NO_MATCH;
  }
  if (lower(c) == 'n') {
    add(&real, c);
    if (!scan_word(source, &real, &width, "an")) return NO_MATCH;
  } else if (lower(c) == 'i') {
    add(&real, c);
    if (!scan_word(source, &real, &width, "nf")) return NO_MATCH;
    c = next_in_field(source, &width);
    if (lower(c) == 'i') {
      add(&real, c);
      if (!scan_word(source, &real, &width, "nity")) return NO_MATCH;
    } else {
      back(source, c);
    }
  } else if (!scan_digits(source, &real, c, &width)) {
    return NO_MATCH;
  }
  real.text[real.length] = 0;
  char *end;
  if (d->is_long) {
    double value = strtod(real.text, &end);
    if (end == real.text) return NO_MATCH;
    if (to != NULL) *(double *)to = value;
  } else {
    float value = strtof(real.text, &end);
    if (end == real.text) return NO_MATCH;
    if (to != NULL) *(float *)to = value;
  }
  return DONE;
}

/* Characters. The destination is the program's array or, with the m modifier,
 * an array from malloc() whose address the program wants. */

struct characters {
  void *array; /* NULL: nothing is stored */
  bool wide, allocated;
  size_t used, capacity;
};

static bool append(struct characters *to, int c) {
  if (to->allocated && to->used == to->capacity) {
    size_t capacity = to->capacity == 0 ? 32 : 2 * to->capacity;
    size_t unit = to->wide ? sizeof(wchar_t) : 1;
    void *larger = realloc(to->array, capacity * unit);
    if (larger == NULL) return false;
    to->array = larger;
    to->capacity = capacity;
  }
  if (to->array == NULL) return true;
  if (to->wide) ((wchar_t *)to->array)[to->used++] = c;
  else ((char *)to->array)[to->used++] = (char)c;
  return true;
}

/* Takes characters while they are wanted: any for c, no white space for s,
 * those of the set for "[". */
static bool wanted(int c, char letter, const bool *member) {
  if (c == EOF) return false;
  return letter == 'c' ? true : letter == 's' ? !is_space(c) : member[c];
}

static enum outcome scan_characters(struct model_source *source,
                                    const struct directive *d, void *argument,
                                    const bool *member) {
  struct characters to = {.wide = d->wide,
                          .allocated = d->allocate && argument != NULL,
                          .array = d->allocate ? NULL : argument};
  int width = d->width < 0 ? (d->letter == 'c' ? 1 : INT_MAX) : d->width;
  int c = d->letter == 's' ? skip_space(source) : next(source);
  if (c == EOF) return NO_INPUT;
  if (!wanted(c, d->letter, member)) {
    back(source, c);
    return NO_MATCH;
  }
  for (;;) {
    if (d->wide && c > 0x7f) {
      errno = EILSEQ;
      return NO_MATCH;
    }
    if (!append(&to, c)) goto no_memory;
    if (--width == 0) break;
    c = next(source);
    if (!wanted(c, d->letter, member)) {
      back(source, c);
      break;
    }
  }
  if (d->letter != 'c' && !append(&to, 0)) goto no_memory;
  if (to.allocated) *(void **)argument = to.array;
  return DONE;

no_memory:
  free(to.array);
  return NO_MEMORY;
}

static enum outcome scan_directive(struct model_source *source,
                                   const struct directive *d, void *to,
                                   const bool *member, bool binary) {
  switch (d->letter) {
    case 'd':
    case 'u': return scan_integer(source, d, to, 10, binary);
    case 'i': return scan_integer(source, d, to, 0, binary);
    case 'o': return scan_integer(source, d, to, 8, binary);
    case 'x':
    case 'X':
    case 'p': return scan_integer(source, d, to, 16, binary);
    case 'b': return scan_integer(source, d, to, 2, binary);
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
      return scan_real(source, d, to);
  }
  return scan_characters(source, d, to, member);
}

static bool takes_argument(char letter, bool binary) {
  for (const char *known = "diuoxXpfFeEgGaAcs[n"; *known != 0; known++) {
    if (letter == *known) return true;
  }
  return letter == 'b' && binary;
}

int __model_scan(struct model_source *source, const char *format,
                 va_list list, bool binary) {
  va_list arguments, first;
  va_copy(arguments, list);
  va_copy(first, list);
  int done = 0;
  bool failed = false;
  while (*format != 0) {
    if (is_space(*format)) {
      format++;
      back(source, skip_space(source));
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      int c = *format == '%' ? skip_space(source) : next(source);
      if (c == EOF) {
        failed = true;
        break;
      }
      if (c != (unsigned char)*format) {
        back(source, c);
        break;
      }
      format += *format == '%' ? 2 : 1;
      continue;
    }
    struct directive d;
    bool member[256];
    format = read_directive(format + 1, &d);
    if (d.letter == '[') format = read_set(format, member);
    if (format == NULL || !takes_argument(d.letter, binary)) break;
    void *to = take(&arguments, &first, &d);
    if (d.letter == 'n') {
      if (to != NULL) store_integer(to, source->consumed, d.size);
      continue;
    }
    enum outcome outcome = scan_directive(source, &d, to, member, binary);
    if (outcome == NO_MEMORY) done = EOF;
    failed = outcome == NO_INPUT;
    if (outcome != DONE) break;
    if (!d.suppress) done++;
  }
  va_end(first);
  va_end(arguments);
  return failed && done == 0 ? EOF : done;
}
