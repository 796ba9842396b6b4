/* Strings and blocks of wide characters, and integers from wide text. Comparisons
 * return -1, 0 or 1 and compare wchar_t, a signed type here, as glibc does. */
#define _GNU_SOURCE
#include "selvedge_builtins.h"

#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

static int order(wchar_t a, wchar_t b) { return (a > b) - (a < b); }

/* Blocks. */

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from,
                 size_t count) {
  __builtin_memcpy(to, from, count * sizeof *to);
  return to;
}

wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from,
                  size_t count) {
  __builtin_memcpy(to, from, count * sizeof *to);
  return to + count;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
  __builtin_memmove(to, from, count * sizeof *to);
  return to;
}

wchar_t *wmemset(wchar_t *block, wchar_t value, size_t count) {
  for (size_t i = 0; i < count; i++) block[i] = value;
  return block;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (a[i] != b[i]) return order(a[i], b[i]);
  }
  return 0;
}

wchar_t *wmemchr(const wchar_t *block, wchar_t wanted, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (block[i] == wanted) return (wchar_t *)(block + i);
  }
  return NULL;
}

/* Strings. */

size_t wcslen(const wchar_t *text) {
  size_t length = 0;
  while (text[length] != 0) length++;
  return length;
}

size_t wcsnlen(const wchar_t *text, size_t limit) {
  size_t length = 0;
  while (length < limit && text[length] != 0) length++;
  return length;
}

wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from) {
  while ((*to = *from) != 0) to++, from++;
  return to;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
  wcpcpy(to, from);
  return to;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from,
                 size_t count) {
  size_t i = 0;
  for (; i < count && from[i] != 0; i++) to[i] = from[i];
  for (; i < count; i++) to[i] = 0;
  return to;
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
  wcpcpy(to + wcslen(to), from);
  return to;
}

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from,
                 size_t count) {
  wchar_t *end = to + wcslen(to);
  for (; count > 0 && *from != 0; count--) *end++ = *from++;
  *end = 0;
  return to;
}

wchar_t *wcsdup(const wchar_t *text) {
  size_t size = (wcslen(text) + 1) * sizeof *text;
  wchar_t *copy = malloc(size);
  if (copy != NULL) __builtin_memcpy(copy, text, size);
  return copy;
}

int wcscmp(const wchar_t *a, const wchar_t *b) {
  for (;; a++, b++) {
    if (*a != *b || *a == 0) return order(*a, *b);
  }
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t count) {
  for (; count > 0; a++, b++, count--) {
    if (*a != *b || *a == 0) return order(*a, *b);
  }
  return 0;
}

int wcscoll(const wchar_t *a, const wchar_t *b) { return wcscmp(a, b); }

wchar_t *wcschr(const wchar_t *text, wchar_t wanted) {
  for (;; text++) {
    if (*text == wanted) return (wchar_t *)text;
    if (*text == 0) return NULL;
  }
}

wchar_t *wcsrchr(const wchar_t *text, wchar_t wanted) {
  const wchar_t *found = NULL;
  for (;; text++) {
    if (*text == wanted) found = text;
    if (*text == 0) return (wchar_t *)found;
  }
}

wchar_t *wcsstr(const wchar_t *hay, const wchar_t *needle) {
  for (;; hay++) {
    size_t i = 0;
    while (needle[i] != 0 && hay[i] == needle[i]) i++;
    if (needle[i] == 0) return (wchar_t *)hay;
    if (hay[i] == 0) return NULL;
  }
}

size_t wcsspn(const wchar_t *text, const wchar_t *accept) {
  size_t length = 0;
  while (text[length] != 0 && wcschr(accept, text[length]) != NULL) length++;
  return length;
}

size_t wcscspn(const wchar_t *text, const wchar_t *reject) {
  size_t length = 0;
  while (wcschr(reject, text[length]) == NULL) length++;
  return length;
}

wchar_t *wcspbrk(const wchar_t *text, const wchar_t *accept) {
  text += wcscspn(text, accept);
  return *text != 0 ? (wchar_t *)text : NULL;
}

wchar_t *wcstok(wchar_t *restrict text, const wchar_t *restrict separators,
                wchar_t **restrict rest) {
  if (text == NULL) text = *rest;
  if (text == NULL) return NULL;
  text += wcsspn(text, separators);
  if (*text == 0) {
    *rest = NULL;
    return NULL;
  }
  wchar_t *end = text + wcscspn(text, separators);
  *rest = *end != 0 ? end + 1 : NULL;
  *end = 0;
  return text;
}

/* Numbers: the text is copied, as far as it is ASCII without white space, and
 * left to strtol and strtod. Nobody writes numbers longer than the copy. */

enum { COPY = 128 };

static size_t copy_number(const wchar_t *text, char *local) {
  size_t skipped = 0, used = 0;
  while (text[skipped] == L' ' ||
         (text[skipped] >= L'\t' && text[skipped] <= L'\r')) {
    skipped++;
  }
  for (; used < COPY - 1; used++) {
    wchar_t c = text[skipped + used];
    if (c <= 0x20 || c > 0x7f) break;
    local[used] = (char)c;
  }
  local[used] = 0;
  return skipped;
}

/* `parameters` are those after `end`, `arguments` what is passed on for them. */
#define CONVERSION(type, name, convert, parameters, arguments)                 \
  type name(const wchar_t *restrict text,                                     \
            wchar_t **restrict end parameters) {                              \
    char local[COPY], *local_end = local;                                     \
    size_t skipped = copy_number(text, local);                                \
    type value = convert(local, &local_end arguments);                        \
    size_t used = (size_t)(local_end - local);                                \
    if (used == COPY - 1) __selvedge_unsupported(#name " of so long a text");  \
    if (end != NULL) *end = (wchar_t *)text + (used > 0 ? skipped + used : 0); \
    return value;                                                             \
  }

#define BASE , int base
#define PASS_BASE , base
CONVERSION(long, wcstol, strtol, BASE, PASS_BASE)
CONVERSION(long long, wcstoll, strtoll, BASE, PASS_BASE)
CONVERSION(unsigned long, wcstoul, strtoul, BASE, PASS_BASE)
CONVERSION(unsigned long long, wcstoull, strtoull, BASE, PASS_BASE)
CONVERSION(double, wcstod, strtod, , )
CONVERSION(float, wcstof, strtof, , )
