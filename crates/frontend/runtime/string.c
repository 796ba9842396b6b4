/* The byte-string functions of <string.h> and <strings.h>.
 *
 * Block operations are the machine's own llvm.memcpy / memmove / memset; every
 * other function looks at its arguments byte by byte, so that it touches
 * exactly the bytes which the standard lets it touch. Comparisons return the
 * difference of the first differing bytes, as glibc on x86-64 does. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef unsigned char byte;

static int lower(byte c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

/* Blocks of memory. */

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  __builtin_memcpy(to, from, count);
  return to;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t count) {
  __builtin_memcpy(to, from, count);
  return (char *)to + count;
}

void *__mempcpy(void *restrict to, const void *restrict from, size_t count) {
  __builtin_memcpy(to, from, count);
  return (char *)to + count;
}

void *memmove(void *to, const void *from, size_t count) {
  __builtin_memmove(to, from, count);
  return to;
}

void bcopy(const void *from, void *to, size_t count) {
  __builtin_memmove(to, from, count);
}

void *memset(void *block, int value, size_t count) {
  __builtin_memset(block, value, count);
  return block;
}

void bzero(void *block, size_t count) { __builtin_memset(block, 0, count); }

void explicit_bzero(void *block, size_t count) {
  __builtin_memset(block, 0, count);
}

void *memccpy(void *restrict to, const void *restrict from, int stop,
              size_t count) {
  byte *out = to;
  const byte *in = from;
  for (size_t i = 0; i < count; i++) {
    byte c = in[i];
    out[i] = c;
    if (c == (byte)stop) return out + i + 1;
  }
  return NULL;
}

int memcmp(const void *a, const void *b, size_t count) {
  const byte *x = a, *y = b;
  for (size_t i = 0; i < count; i++) {
    int difference = x[i] - y[i];
    if (difference != 0) return difference;
  }
  return 0;
}

int bcmp(const void *a, const void *b, size_t count) {
  return memcmp(a, b, count);
}

void *memchr(const void *block, int wanted, size_t count) {
  const byte *bytes = block;
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] == (byte)wanted) return (void *)(bytes + i);
  }
  return NULL;
}

void *rawmemchr(const void *block, int wanted) {
  const byte *bytes = block;
  while (*bytes != (byte)wanted) bytes++;
  return (void *)bytes;
}

void *memrchr(const void *block, int wanted, size_t count) {
  const byte *bytes = block;
  while (count-- > 0) {
    if (bytes[count] == (byte)wanted) return (void *)(bytes + count);
  }
  return NULL;
}

void *memmem(const void *hay, size_t hay_length, const void *needle,
             size_t needle_length) {
  const byte *start = hay;
  for (; hay_length >= needle_length; start++, hay_length--) {
    if (memcmp(start, needle, needle_length) == 0) return (void *)start;
  }
  return NULL;
}

/* Lengths, copies, concatenations. */

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length] != 0) length++;
  return length;
}

size_t strnlen(const char *text, size_t limit) {
  size_t length = 0;
  while (length < limit && text[length] != 0) length++;
  return length;
}

char *stpcpy(char *restrict to, const char *restrict from) {
  while ((*to = *from) != 0) to++, from++;
  return to;
}

char *__stpcpy(char *restrict to, const char *restrict from) {
  return stpcpy(to, from);
}

char *strcpy(char *restrict to, const char *restrict from) {
  stpcpy(to, from);
  return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t count) {
  size_t length = 0;
  for (; length < count; length++) {
    char c = from[length];
    if (c == 0) break;
    to[length] = c;
  }
  for (size_t i = length; i < count; i++) to[i] = 0;
  return to + length;
}

char *strncpy(char *restrict to, const char *restrict from, size_t count) {
  stpncpy(to, from, count);
  return to;
}

char *strcat(char *restrict to, const char *restrict from) {
  stpcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t count) {
  char *end = to + strlen(to);
  for (; count > 0; count--) {
    char c = *from++;
    if (c == 0) break;
    *end++ = c;
  }
  *end = 0;
  return to;
}

size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
  size_t length = 0;
  for (; from[length] != 0; length++) {
    if (length + 1 < size) to[length] = from[length];
  }
  if (size > 0) to[length < size ? length : size - 1] = 0;
  return length;
}

size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
  size_t used = strnlen(to, size);
  return used + strlcpy(to + used, from, size - used);
}

char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy != NULL) __builtin_memcpy(copy, text, size);
  return copy;
}

char *__strdup(const char *text) { return strdup(text); }

char *strndup(const char *text, size_t limit) {
  size_t length = strnlen(text, limit);
  char *copy = malloc(length + 1);
  if (copy == NULL) return NULL;
  __builtin_memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *__strndup(const char *text, size_t limit) { return strndup(text, limit); }

/* Comparisons. */

int strcmp(const char *a, const char *b) {
  for (;; a++, b++) {
    byte x = (byte)*a, y = (byte)*b;
    if (x != y || x == 0) return x - y;
  }
}

int strncmp(const char *a, const char *b, size_t count) {
  for (; count > 0; a++, b++, count--) {
    byte x = (byte)*a, y = (byte)*b;
    if (x != y || x == 0) return x - y;
  }
  return 0;
}

int strcasecmp(const char *a, const char *b) {
  for (;; a++, b++) {
    int x = lower((byte)*a), y = lower((byte)*b);
    if (x != y || x == 0) return x - y;
  }
}

int strncasecmp(const char *a, const char *b, size_t count) {
  for (; count > 0; a++, b++, count--) {
    int x = lower((byte)*a), y = lower((byte)*b);
    if (x != y || x == 0) return x - y;
  }
  return 0;
}

/* The only locale is "C", where collation is the order of the bytes. */
int strcoll(const char *a, const char *b) { return strcmp(a, b); }

size_t strxfrm(char *restrict to, const char *restrict from, size_t size) {
  size_t length = 0;
  for (; from[length] != 0; length++) {
    if (length < size) to[length] = from[length];
  }
  if (length < size) to[length] = 0;
  return length;
}

/* Searches. */

char *strchrnul(const char *text, int wanted) {
  while (*text != 0 && *text != (char)wanted) text++;
  return (char *)text;
}

char *strchr(const char *text, int wanted) {
  char *found = strchrnul(text, wanted);
  return *found == (char)wanted ? found : NULL;
}

char *index(const char *text, int wanted) { return strchr(text, wanted); }

char *strrchr(const char *text, int wanted) {
  const char *found = NULL;
  for (;; text++) {
    if (*text == (char)wanted) found = text;
    if (*text == 0) return (char *)found;
  }
}

char *rindex(const char *text, int wanted) { return strrchr(text, wanted); }

size_t strspn(const char *text, const char *accept) {
  size_t length = 0;
  while (text[length] != 0 && strchr(accept, text[length]) != NULL) length++;
  return length;
}

size_t strcspn(const char *text, const char *reject) {
  size_t length = 0;
  while (strchr(reject, text[length]) == NULL) length++;
  return length;
}

char *strpbrk(const char *text, const char *accept) {
  text += strcspn(text, accept);
  return *text != 0 ? (char *)text : NULL;
}

char *strstr(const char *hay, const char *needle) {
  for (;; hay++) {
    size_t i = 0;
    while (needle[i] != 0 && hay[i] == needle[i]) i++;
    if (needle[i] == 0) return (char *)hay;
    if (hay[i] == 0) return NULL;
  }
}

char *strcasestr(const char *hay, const char *needle) {
  for (;; hay++) {
    size_t i = 0;
    while (needle[i] != 0 && lower((byte)hay[i]) == lower((byte)needle[i])) i++;
    if (needle[i] == 0) return (char *)hay;
    if (hay[i] == 0) return NULL;
  }
}

/* Tokens. strtok's memory of its place is one plain variable, as in glibc: two
 * threads that use strtok at once do race. */

char *strtok_r(char *restrict text, const char *restrict separators,
               char **restrict rest) {
  if (text == NULL) text = *rest;
  text += strspn(text, separators);
  if (*text == 0) {
    *rest = text;
    return NULL;
  }
  char *end = text + strcspn(text, separators);
  if (*end != 0) *end++ = 0;
  *rest = end;
  return text;
}

char *__strtok_r(char *restrict text, const char *restrict separators,
                 char **restrict rest) {
  return strtok_r(text, separators, rest);
}

char *strtok(char *restrict text, const char *restrict separators) {
  static char *rest;
  return strtok_r(text, separators, &rest);
}

char *strsep(char **restrict rest, const char *restrict separators) {
  char *text = *rest;
  if (text == NULL) return NULL;
  char *end = text + strcspn(text, separators);
  if (*end != 0) {
    *end = 0;
    *rest = end + 1;
  } else {
    *rest = NULL;
  }
  return text;
}

/* GNU's basename: unlike POSIX's it never writes to its argument. */
char *basename(const char *path) {
  char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : (char *)path;
}

/* Lowest set bit, counted from one. */
int ffs(int value) { return __builtin_ffs(value); }
int ffsl(long value) { return __builtin_ffsl(value); }
int ffsll(long long value) { return __builtin_ffsll(value); }
