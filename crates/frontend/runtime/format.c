/* The engine behind the printf family: directives are read, arguments fetched,
 * text put into a sink. Floating-point digits come from the machine; all else is
 * done here.
 *
 * Deliberate decisions: the locale is "C" (the flags ' and I change nothing);
 * long double stops with error[unsupported]; a directive that nobody knows is
 * printed as it stands, as glibc does. */
#define _GNU_SOURCE
#include "model.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* The kinds of argument that differ in how va_arg fetches them. */
enum kind { KIND_NONE, KIND_INT, KIND_LONG, KIND_DOUBLE, KIND_POINTER };

union argument {
  int64_t integer;
  double real;
  void *pointer;
};

/* One directive, as written. Numbers that come from arguments are -1 here and
 * have the position of their argument (1...; 0: simply the next) in the fields
 * that end in `_from`. */
struct directive {
  bool left, plus, space, alternate, zero;
  bool width_argument, precision_argument;
  int width_from, precision_from, value_from;
  int width;      /* 0 if none */
  int precision;  /* -1 if none */
  int size;       /* of an integer, in bytes */
  bool wide;      /* l before c or s */
  bool extended;  /* L: long double if a floating conversion follows */
  bool overflow;  /* width or precision are no int */
  char letter;
};

/* The arguments: in order of a va_list, or by position. */
enum { MOST_POSITIONS = 64 };

struct arguments {
  va_list list;
  int positions; /* 0: arguments are taken in order */
  union argument by_position[MOST_POSITIONS];
};

static int read_number(const char **text, bool *overflow) {
  int value = 0;
  for (; **text >= '0' && **text <= '9'; (*text)++) {
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, **text - '0', &value)) {
      *overflow = true;
      value = 0;
    }
  }
  return value;
}

/* A position "n$", or 0 with the text left where it was. */
static int read_position(const char **text, bool *overflow) {
  const char *ahead = *text;
  int position = read_number(&ahead, overflow);
  if (position == 0 || *ahead != '$') return 0;
  *text = ahead + 1;
  return position;
}

/* A length modifier. l, ll, j, z, t and L are all eight bytes on this target. */
static void read_size(const char **text, struct directive *d) {
  const char *at = *text;
  d->size = sizeof(int);
  switch (*at) {
    case 'h':
      at++;
      d->size = sizeof(short);
      if (*at == 'h') at++, d->size = sizeof(char);
      break;
    case 'l':
      at++;
      d->size = sizeof(long);
      d->wide = true;
      if (*at == 'l') at++, d->extended = true;
      break;
    case 'L':
    case 'q':
      at++;
      d->size = sizeof(long long);
      d->extended = true;
      break;
    case 'j':
    case 'z':
    case 'Z':
    case 't':
      at++;
      d->size = sizeof(intmax_t);
      break;
    case 'w': { /* C23: w8 ... w64, wf8 ... wf64 */
      const char *ahead = at + 1;
      bool fast = *ahead == 'f', overflow = false;
      if (fast) ahead++;
      int bits = read_number(&ahead, &overflow);
      if (bits != 8 && bits != 16 && bits != 32 && bits != 64) break;
      at = ahead;
      d->size = fast && bits > 8 ? 8 : bits / 8;
      break;
    }
  }
  *text = at;
}

/* Reads what follows a '%'; leaves `*text` behind the conversion letter. */
static void read_directive(const char **text, struct directive *d) {
  *d = (struct directive){.precision = -1};
  d->value_from = read_position(text, &d->overflow);
  for (;; (*text)++) {
    char c = **text;
    if (c == '-') d->left = true;
    else if (c == '+') d->plus = true;
    else if (c == ' ') d->space = true;
    else if (c == '#') d->alternate = true;
    else if (c == '0') d->zero = true;
    else if (c != '\'' && c != 'I') break;
  }
  if (**text == '*') {
    ++*text;
    d->width_argument = true;
    d->width_from = read_position(text, &d->overflow);
  } else {
    d->width = read_number(text, &d->overflow);
  }
  if (**text == '.') {
    ++*text;
    if (**text == '*') {
      ++*text;
      d->precision_argument = true;
      d->precision_from = read_position(text, &d->overflow);
    } else {
      d->precision = read_number(text, &d->overflow);
    }
  }
  read_size(text, d);
  d->letter = **text;
  if (d->letter != 0) ++*text;
  if (d->letter == 'C' || d->letter == 'S') {
    d->wide = true;
    d->letter = d->letter == 'C' ? 'c' : 's';
  }
}

static enum kind kind_of(const struct directive *d) {
  switch (d->letter) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'b': case 'B':
      return d->size == 8 ? KIND_LONG : KIND_INT;
    case 'c':
      return KIND_INT;
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
      if (d->extended) __selvedge_unsupported("printf of a long double");
      return KIND_DOUBLE;
    case 's': case 'p': case 'n':
      return KIND_POINTER;
  }
  return KIND_NONE;
}

static union argument fetch(va_list *list, enum kind kind) {
  union argument value = {.integer = 0};
  switch (kind) {
    case KIND_NONE: break;
    case KIND_INT: value.integer = va_arg(*list, int); break;
    case KIND_LONG: value.integer = va_arg(*list, long); break;
    case KIND_DOUBLE: value.real = va_arg(*list, double); break;
    case KIND_POINTER: value.pointer = va_arg(*list, void *); break;
  }
  return value;
}

static void note_position(struct arguments *arguments, unsigned char *kinds,
                          int position, enum kind kind) {
  if (position == 0) return;
  if (position > MOST_POSITIONS) {
    __selvedge_unsupported("printf with more than 64 positional arguments");
  }
  if (position > arguments->positions) arguments->positions = position;
  kinds[position - 1] = (unsigned char)kind;
}

/* If the format uses positions ("%2$d"), fetches all arguments beforehand: the
 * type of each must be known before the next one can be reached. */
static void gather_positions(struct arguments *arguments, const char *format) {
  unsigned char kinds[MOST_POSITIONS];
  __builtin_memset(kinds, KIND_INT, sizeof kinds);
  arguments->positions = 0;
  while (*format != 0) {
    if (*format++ != '%') continue;
    struct directive d;
    read_directive(&format, &d);
    note_position(arguments, kinds, d.width_from, KIND_INT);
    note_position(arguments, kinds, d.precision_from, KIND_INT);
    note_position(arguments, kinds, d.value_from, kind_of(&d));
  }
  for (int i = 0; i < arguments->positions; i++) {
    arguments->by_position[i] = fetch(&arguments->list, kinds[i]);
  }
}

/* A first, cheap look: most formats use no positions. */
static bool uses_positions(const char *format) {
  for (; *format != 0; format++) {
    if (*format == '$') return true;
  }
  return false;
}

static union argument take(struct arguments *arguments, int position,
                           enum kind kind) {
  if (position > 0) return arguments->by_position[position - 1];
  return fetch(&arguments->list, kind);
}

/* Puts `prefix` (a sign or 0x) and `body` in a field; zeros go between them. */
static void put_field(struct model_sink *sink, const struct directive *d,
                      const char *prefix, size_t prefix_length, long zeros,
                      const char *body, size_t body_length) {
  long padding = d->width - (long)prefix_length - zeros - (long)body_length;
  if (!d->left) __model_put_padding(sink, ' ', padding);
  for (size_t i = 0; i < prefix_length; i++) __model_put(sink, prefix[i]);
  __model_put_padding(sink, '0', zeros);
  for (size_t i = 0; i < body_length; i++) __model_put(sink, body[i]);
  if (d->left) __model_put_padding(sink, ' ', padding);
}

/* Digits of `value`, written backwards from `end`; where they start. */
static char *digits_of(uint64_t value, unsigned base, bool upper, char *end) {
  const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  while (value != 0) {
    *--end = digits[value % base];
    value /= base;
  }
  return end;
}

static void put_integer(struct model_sink *sink, const struct directive *d,
                        uint64_t magnitude, const char *sign, unsigned base,
                        bool upper) {
  char digits[64], prefix[3];
  char *end = digits + sizeof digits;
  char *start = digits_of(magnitude, base, upper, end);
  size_t length = (size_t)(end - start), prefix_length = 0;
  if (*sign != 0) prefix[prefix_length++] = *sign;
  if (d->alternate && magnitude != 0 && (base == 16 || base == 2)) {
    prefix[prefix_length++] = '0';
    prefix[prefix_length++] = d->letter == 'p' ? 'x' : d->letter;
  }
  long zeros = d->precision < 0 ? 1 - (long)length : d->precision - (long)length;
  if (zeros < 0) zeros = 0;
  if (d->alternate && base == 8 && zeros == 0) {
    zeros = magnitude != 0 || length + (size_t)zeros == 0 ? 1 : 0;
  }
  if (d->zero && !d->left && d->precision < 0) {
    long room = d->width - (long)prefix_length - (long)length;
    if (room > zeros) zeros = room;
  }
  put_field(sink, d, prefix, prefix_length, zeros, start, length);
}

static const char *sign_of(const struct directive *d, bool negative) {
  return negative ? "-" : d->plus ? "+" : d->space ? " " : "";
}

/* An integer argument, cut to its size. */
static int64_t as_signed(int64_t value, int size) {
  switch (size) {
    case 1: return (int8_t)value;
    case 2: return (int16_t)value;
    case 4: return (int32_t)value;
  }
  return value;
}

static uint64_t as_unsigned(int64_t value, int size) {
  return size == 8 ? (uint64_t)value
                   : (uint64_t)value & ((UINT64_C(1) << (8 * size)) - 1);
}

static bool put_double(struct model_sink *sink, const struct directive *d,
                       double value) {
  int flags = (d->plus ? SELVEDGE_FLAG_PLUS : 0) |
              (d->space ? SELVEDGE_FLAG_SPACE : 0) |
              (d->alternate ? SELVEDGE_FLAG_ALTERNATE : 0);
  char local[400];
  char *text = local;
  size_t length = __selvedge_format_double(local, sizeof local, value, d->letter,
                                           flags, d->precision);
  if (length > sizeof local) {
    text = __selvedge_allocate(length, 1, 0);
    if (text == NULL) {
      errno = ENOMEM;
      return false;
    }
    __selvedge_format_double(text, length, value, d->letter, flags, d->precision);
  }
  /* Zeros of padding go behind the sign and 0x; infinities and NaNs get none. */
  size_t prefix = text[0] == '-' || text[0] == '+' || text[0] == ' ';
  long zeros = 0;
  if (text[prefix] >= '0' && text[prefix] <= '9') {
    if (d->letter == 'a' || d->letter == 'A') prefix += 2;
    if (d->zero && !d->left) zeros = d->width - (long)length;
  }
  put_field(sink, d, text, prefix, zeros > 0 ? zeros : 0, text + prefix,
            length - prefix);
  if (text != local) __selvedge_release(text);
  return true;
}

static void put_string(struct model_sink *sink, const struct directive *d,
                       const char *text) {
  if (text == NULL) text = d->precision < 0 || d->precision >= 6 ? "(null)" : "";
  size_t limit = d->precision < 0 ? SIZE_MAX : (size_t)d->precision;
  if (d->left || d->width == 0) {
    size_t length = 0;
    while (length < limit && text[length] != 0) __model_put(sink, text[length++]);
    __model_put_padding(sink, ' ', d->width - (long)length);
    return;
  }
  put_field(sink, d, "", 0, 0, text, strnlen(text, limit));
}

/* Wide text: the C locale knows ASCII only, anything else is EILSEQ. */
static bool put_wide(struct model_sink *sink, const struct directive *d,
                     const wchar_t *text, size_t limit, bool terminated) {
  size_t length = 0;
  while (length < limit && !(terminated && text[length] == 0)) {
    if (text[length] < 0 || text[length] > 0x7f) {
      errno = EILSEQ;
      return false;
    }
    length++;
  }
  if (!d->left) __model_put_padding(sink, ' ', d->width - (long)length);
  for (size_t i = 0; i < length; i++) __model_put(sink, (char)text[i]);
  if (d->left) __model_put_padding(sink, ' ', d->width - (long)length);
  return true;
}

static void store_count(void *to, size_t count, int size) {
  switch (size) {
    case 1: *(signed char *)to = (signed char)count; break;
    case 2: *(short *)to = (short)count; break;
    case 4: *(int *)to = (int)count; break;
    default: *(long *)to = (long)count; break;
  }
}

/* Carries out one directive, which was written from `start` to `end`. */
static bool put_directive(struct model_sink *sink, const struct directive *d,
                          struct arguments *arguments, int saved_errno,
                          const char *start, const char *end) {
  union argument value = take(arguments, d->value_from, kind_of(d));
  switch (d->letter) {
    case 'd':
    case 'i': {
      int64_t number = as_signed(value.integer, d->size);
      uint64_t magnitude = number < 0 ? -(uint64_t)number : (uint64_t)number;
      put_integer(sink, d, magnitude, sign_of(d, number < 0), 10, false);
      return true;
    }
    case 'u':
      put_integer(sink, d, as_unsigned(value.integer, d->size), "", 10, false);
      return true;
    case 'o':
      put_integer(sink, d, as_unsigned(value.integer, d->size), "", 8, false);
      return true;
    case 'x':
    case 'X':
      put_integer(sink, d, as_unsigned(value.integer, d->size), "", 16,
                  d->letter == 'X');
      return true;
    case 'b':
    case 'B':
      put_integer(sink, d, as_unsigned(value.integer, d->size), "", 2, false);
      return true;
    case 'p': {
      struct directive plain = *d;
      if (value.pointer == NULL) {
        plain.precision = -1;
        put_string(sink, &plain, "(nil)");
      } else {
        plain.alternate = true;
        put_integer(sink, &plain, (uintptr_t)value.pointer, sign_of(d, false), 16,
                    false);
      }
      return true;
    }
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
      return put_double(sink, d, value.real);
    case 'c': {
      if (d->wide) {
        wchar_t wide = (wchar_t)value.integer;
        return put_wide(sink, d, &wide, 1, false);
      }
      char c = (char)value.integer;
      put_field(sink, d, "", 0, 0, &c, 1);
      return true;
    }
    case 's':
      if (d->wide && value.pointer != NULL) {
        size_t limit = d->precision < 0 ? SIZE_MAX : (size_t)d->precision;
        return put_wide(sink, d, value.pointer, limit, true);
      }
      put_string(sink, d, value.pointer);
      return true;
    case 'm':
      put_string(sink, d, strerror(saved_errno));
      return true;
    case 'n':
      store_count(value.pointer, sink->total, d->size);
      return true;
    case '%':
      __model_put(sink, '%');
      return true;
    case 0:
      errno = EINVAL;
      return false;
  }
  for (; start != end; start++) __model_put(sink, *start);
  return true;
}

int __model_format(struct model_sink *sink, const char *format, va_list list) {
  int saved_errno = errno;
  struct arguments arguments;
  va_copy(arguments.list, list);
  if (uses_positions(format)) gather_positions(&arguments, format);
  bool good = true;
  while (good && *format != 0) {
    if (*format != '%') {
      __model_put(sink, *format++);
      continue;
    }
    const char *start = format++;
    struct directive d;
    read_directive(&format, &d);
    if (d.overflow) {
      errno = EOVERFLOW;
      good = false;
      break;
    }
    if (d.width_argument) {
      d.width = (int)take(&arguments, d.width_from, KIND_INT).integer;
      if (d.width < 0) {
        d.left = true;
        d.width = d.width == INT_MIN ? INT_MAX : -d.width;
      }
    }
    if (d.precision_argument) {
      d.precision = (int)take(&arguments, d.precision_from, KIND_INT).integer;
      if (d.precision < 0) d.precision = -1;
    }
    good = put_directive(sink, &d, &arguments, saved_errno, start, format);
  }
  va_end(arguments.list);
  return good ? 0 : -1;
}
