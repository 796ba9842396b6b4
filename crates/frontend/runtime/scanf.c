/* The scanf family over the engine of scan.c. glibc's headers give each function
 * up to three names: its own, __isoc99_ (%a is a floating conversion; here it
 * always is) and __isoc23_ (%i knows 0b). <stdio.h> itself is not included: it
 * would turn the first name into the second. */
#include "model.h"

#include <bits/types/FILE.h>

extern FILE *stdin;

/* Makes `call` with the arguments that follow `format`. */
#define FORWARD(call)          \
  va_list arguments;           \
  va_start(arguments, format); \
  int count = call;            \
  va_end(arguments);           \
  return count

static int scan_text(const char *text, const char *format, va_list arguments,
                     bool binary) {
  struct model_source source = {.text = text};
  return __model_scan(&source, format, arguments, binary);
}

static int scan_stream(FILE *stream, const char *format, va_list arguments,
                       bool binary) {
  struct model_source source = {.stream = stream};
  return __model_scan(&source, format, arguments, binary);
}

int vsscanf(const char *text, const char *format, va_list arguments) {
  return scan_text(text, format, arguments, false);
}

int vfscanf(FILE *stream, const char *format, va_list arguments) {
  return scan_stream(stream, format, arguments, false);
}

int vscanf(const char *format, va_list arguments) {
  return scan_stream(stdin, format, arguments, false);
}

int sscanf(const char *text, const char *format, ...) {
  FORWARD(scan_text(text, format, arguments, false));
}

int fscanf(FILE *stream, const char *format, ...) {
  FORWARD(scan_stream(stream, format, arguments, false));
}

int scanf(const char *format, ...) {
  FORWARD(scan_stream(stdin, format, arguments, false));
}

int __isoc99_vsscanf(const char *text, const char *format, va_list arguments) {
  return scan_text(text, format, arguments, false);
}

int __isoc99_vfscanf(FILE *stream, const char *format, va_list arguments) {
  return scan_stream(stream, format, arguments, false);
}

int __isoc99_vscanf(const char *format, va_list arguments) {
  return scan_stream(stdin, format, arguments, false);
}

int __isoc99_sscanf(const char *text, const char *format, ...) {
  FORWARD(scan_text(text, format, arguments, false));
}

int __isoc99_fscanf(FILE *stream, const char *format, ...) {
  FORWARD(scan_stream(stream, format, arguments, false));
}

int __isoc99_scanf(const char *format, ...) {
  FORWARD(scan_stream(stdin, format, arguments, false));
}

int __isoc23_vsscanf(const char *text, const char *format, va_list arguments) {
  return scan_text(text, format, arguments, true);
}

int __isoc23_vfscanf(FILE *stream, const char *format, va_list arguments) {
  return scan_stream(stream, format, arguments, true);
}

int __isoc23_vscanf(const char *format, va_list arguments) {
  return scan_stream(stdin, format, arguments, true);
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
  FORWARD(scan_text(text, format, arguments, true));
}

int __isoc23_fscanf(FILE *stream, const char *format, ...) {
  FORWARD(scan_stream(stream, format, arguments, true));
}

int __isoc23_scanf(const char *format, ...) {
  FORWARD(scan_stream(stdin, format, arguments, true));
}
