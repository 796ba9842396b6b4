/* The checked variants which fortified headers call (those of printf are in
 * printf.c). The size of the object is ignored: the machine checks every access
 * itself, and reports it better. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define IGNORING_SIZE(type, name, parameters, call) \
  type name parameters {                            \
    (void)object_size;                              \
    return call;                                    \
  }

IGNORING_SIZE(void *, __memcpy_chk,
              (void *to, const void *from, size_t count, size_t object_size),
              memcpy(to, from, count))
IGNORING_SIZE(void *, __mempcpy_chk,
              (void *to, const void *from, size_t count, size_t object_size),
              mempcpy(to, from, count))
IGNORING_SIZE(void *, __memmove_chk,
              (void *to, const void *from, size_t count, size_t object_size),
              memmove(to, from, count))
IGNORING_SIZE(void *, __memset_chk,
              (void *block, int value, size_t count, size_t object_size),
              memset(block, value, count))
IGNORING_SIZE(char *, __strcpy_chk,
              (char *to, const char *from, size_t object_size), strcpy(to, from))
IGNORING_SIZE(char *, __stpcpy_chk,
              (char *to, const char *from, size_t object_size), stpcpy(to, from))
IGNORING_SIZE(char *, __strncpy_chk,
              (char *to, const char *from, size_t count, size_t object_size),
              strncpy(to, from, count))
IGNORING_SIZE(char *, __stpncpy_chk,
              (char *to, const char *from, size_t count, size_t object_size),
              stpncpy(to, from, count))
IGNORING_SIZE(char *, __strcat_chk,
              (char *to, const char *from, size_t object_size), strcat(to, from))
IGNORING_SIZE(char *, __strncat_chk,
              (char *to, const char *from, size_t count, size_t object_size),
              strncat(to, from, count))
IGNORING_SIZE(char *, __fgets_chk,
              (char *line, size_t object_size, int size, FILE *stream),
              fgets(line, size, stream))
IGNORING_SIZE(size_t, __fread_chk,
              (void *items, size_t object_size, size_t size, size_t count,
               FILE *stream),
              fread(items, size, count, stream))
IGNORING_SIZE(ssize_t, __read_chk,
              (int descriptor, void *bytes, size_t count, size_t object_size),
              read(descriptor, bytes, count))
