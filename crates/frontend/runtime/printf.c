/* The printf family: each function chooses a sink and runs the engine of
 * format.c. Fortified variants (__*_chk) ignore the flag, and the object size
 * too: the machine checks every store itself. */
#define _GNU_SOURCE
#include "model.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Makes `call` with the arguments that follow `last`. */
#define FORWARD(last, call)        \
  va_list arguments;               \
  va_start(arguments, last);       \
  int length = call;               \
  va_end(arguments);               \
  return length

int vdprintf(int descriptor, const char *restrict format, va_list arguments) {
  if (descriptor != 1 && descriptor != 2) {
    errno = EBADF;
    return -1;
  }
  struct model_sink sink;
  char local[MODEL_SINK_BUFFER];
  __model_sink_to_descriptor(&sink, descriptor, local);
  int failed = __model_format(&sink, format, arguments);
  int length = __model_sink_finish(&sink);
  return failed ? -1 : length;
}

int vfprintf(FILE *restrict stream, const char *restrict format,
             va_list arguments) {
  return vdprintf(__model_descriptor(stream), format, arguments);
}

int vprintf(const char *restrict format, va_list arguments) {
  return vfprintf(stdout, format, arguments);
}

/* Nothing is stored at all if `size` is 0. */
int vsnprintf(char *restrict to, size_t size, const char *restrict format,
              va_list arguments) {
  struct model_sink sink;
  __model_sink_to_memory(&sink, to, size > 0 ? size - 1 : 0);
  int failed = __model_format(&sink, format, arguments);
  if (size > 0) to[sink.used] = 0;
  return failed ? -1 : __model_sink_finish(&sink);
}

int vsprintf(char *restrict to, const char *restrict format, va_list arguments) {
  return vsnprintf(to, SIZE_MAX, format, arguments);
}

int vasprintf(char **restrict result, const char *restrict format,
              va_list arguments) {
  struct model_sink sink;
  __model_sink_to_heap(&sink);
  int failed = __model_format(&sink, format, arguments);
  __model_put(&sink, 0);
  int length = __model_sink_finish(&sink);
  if (failed || length < 0) {
    free(sink.bytes);
    return -1;
  }
  *result = sink.bytes;
  return length - 1;
}

int printf(const char *restrict format, ...) {
  FORWARD(format, vfprintf(stdout, format, arguments));
}

int fprintf(FILE *restrict stream, const char *restrict format, ...) {
  FORWARD(format, vfprintf(stream, format, arguments));
}

int dprintf(int descriptor, const char *restrict format, ...) {
  FORWARD(format, vdprintf(descriptor, format, arguments));
}

int sprintf(char *restrict to, const char *restrict format, ...) {
  FORWARD(format, vsprintf(to, format, arguments));
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...) {
  FORWARD(format, vsnprintf(to, size, format, arguments));
}

int asprintf(char **restrict result, const char *restrict format, ...) {
  FORWARD(format, vasprintf(result, format, arguments));
}

/* Fortified variants. */

int __vprintf_chk(int flag, const char *format, va_list arguments) {
  (void)flag;
  return vfprintf(stdout, format, arguments);
}

int __vfprintf_chk(FILE *stream, int flag, const char *format,
                   va_list arguments) {
  (void)flag;
  return vfprintf(stream, format, arguments);
}

int __vdprintf_chk(int descriptor, int flag, const char *format,
                   va_list arguments) {
  (void)flag;
  return vdprintf(descriptor, format, arguments);
}

int __vsprintf_chk(char *to, int flag, size_t object_size, const char *format,
                   va_list arguments) {
  (void)flag, (void)object_size;
  return vsprintf(to, format, arguments);
}

int __vsnprintf_chk(char *to, size_t size, int flag, size_t object_size,
                    const char *format, va_list arguments) {
  (void)flag, (void)object_size;
  return vsnprintf(to, size, format, arguments);
}

int __vasprintf_chk(char **result, int flag, const char *format,
                    va_list arguments) {
  (void)flag;
  return vasprintf(result, format, arguments);
}

int __printf_chk(int flag, const char *format, ...) {
  (void)flag;
  FORWARD(format, vfprintf(stdout, format, arguments));
}

int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
  (void)flag;
  FORWARD(format, vfprintf(stream, format, arguments));
}

int __dprintf_chk(int descriptor, int flag, const char *format, ...) {
  (void)flag;
  FORWARD(format, vdprintf(descriptor, format, arguments));
}

int __sprintf_chk(char *to, int flag, size_t object_size, const char *format,
                  ...) {
  (void)flag, (void)object_size;
  FORWARD(format, vsprintf(to, format, arguments));
}

int __snprintf_chk(char *to, size_t size, int flag, size_t object_size,
                   const char *format, ...) {
  (void)flag, (void)object_size;
  FORWARD(format, vsnprintf(to, size, format, arguments));
}

int __asprintf_chk(char **result, int flag, const char *format, ...) {
  (void)flag;
  FORWARD(format, vasprintf(result, format, arguments));
}
