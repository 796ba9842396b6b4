/* Multibyte characters of the C locale: ASCII bytes are themselves, all others
 * are errors (EILSEQ), and there is no shift state to remember. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <wchar.h>

enum { ILLEGAL = -1, INCOMPLETE = -2 };

/* The one conversion in each direction that all others are made of. */

size_t mbrtowc(wchar_t *restrict wide, const char *restrict text, size_t count,
               mbstate_t *restrict state) {
  (void)state;
  if (text == NULL) return 0;
  if (count == 0) return (size_t)INCOMPLETE;
  unsigned char c = (unsigned char)*text;
  if (c > 0x7f) {
    errno = EILSEQ;
    return (size_t)ILLEGAL;
  }
  if (wide != NULL) *wide = c;
  return c != 0;
}

size_t wcrtomb(char *restrict text, wchar_t wide, mbstate_t *restrict state) {
  (void)state;
  if (text == NULL) return 1;
  if (wide < 0 || wide > 0x7f) {
    errno = EILSEQ;
    return (size_t)ILLEGAL;
  }
  *text = (char)wide;
  return 1;
}

wint_t btowc(int c) { return c >= 0 && c <= 0x7f ? (wint_t)c : WEOF; }
int wctob(wint_t wide) { return wide <= 0x7f ? (int)wide : -1; }
int mbsinit(const mbstate_t *state) { return state == NULL || state->__count == 0; }

size_t mbrlen(const char *restrict text, size_t count,
              mbstate_t *restrict state) {
  return mbrtowc(NULL, text, count, state);
}

size_t __mbrlen(const char *restrict text, size_t count,
                mbstate_t *restrict state) {
  return mbrtowc(NULL, text, count, state);
}

int mbtowc(wchar_t *restrict wide, const char *restrict text, size_t count) {
  size_t used = mbrtowc(wide, text, count, NULL);
  return used == (size_t)INCOMPLETE ? -1 : (int)used;
}

int mblen(const char *text, size_t count) { return mbtowc(NULL, text, count); }

int wctomb(char *text, wchar_t wide) {
  return text == NULL ? 0 : (int)wcrtomb(text, wide, NULL);
}

/* Strings. Without a destination there is no limit, and `*from` stays. */

size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t count,
                 mbstate_t *restrict state) {
  const char *text = *from;
  for (size_t i = 0; to == NULL || i < count; i++) {
    wchar_t wide;
    if (mbrtowc(&wide, text + i, 1, state) == (size_t)ILLEGAL) {
      if (to != NULL) *from = text + i;
      return (size_t)ILLEGAL;
    }
    if (to != NULL) to[i] = wide;
    if (wide == 0) {
      if (to != NULL) *from = NULL;
      return i;
    }
  }
  *from = text + count;
  return count;
}

size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t count,
                 mbstate_t *restrict state) {
  const wchar_t *text = *from;
  for (size_t i = 0; to == NULL || i < count; i++) {
    char byte;
    if (wcrtomb(&byte, text[i], state) == (size_t)ILLEGAL) {
      if (to != NULL) *from = text + i;
      return (size_t)ILLEGAL;
    }
    if (to != NULL) to[i] = byte;
    if (byte == 0) {
      if (to != NULL) *from = NULL;
      return i;
    }
  }
  *from = text + count;
  return count;
}

size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t count) {
  const char *text = from;
  return mbsrtowcs(to, &text, count, NULL);
}

size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t count) {
  const wchar_t *text = from;
  return wcsrtombs(to, &text, count, NULL);
}
