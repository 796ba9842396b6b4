/* What the models share among themselves. */
#ifndef SELVEDGE_MODEL_H
#define SELVEDGE_MODEL_H

#include "selvedge_builtins.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Where formatted text goes: to a descriptor through a buffer of the caller's
 * frame, to memory of the program byte by byte, or to a growing heap object. */
enum { MODEL_SINK_BUFFER = 1024 };

struct model_sink {
  size_t total;    /* length of the whole text so far */
  int descriptor;  /* >= 0: the text goes there, through `bytes` */
  bool grows;      /* `bytes` is a heap object that grows as needed */
  bool failed;     /* memory ran out */
  char *bytes;     /* buffer or destination */
  size_t capacity; /* of `bytes` */
  size_t used;     /* of `bytes` */
};

/* `local` is MODEL_SINK_BUFFER bytes of the calling model's frame. */
void __model_sink_to_descriptor(struct model_sink *sink, int descriptor,
                              char *local);
/* At most `capacity` bytes are stored, none of them a terminating zero. */
void __model_sink_to_memory(struct model_sink *sink, char *to, size_t capacity);
/* `sink->bytes` becomes the result, from malloc(). */
void __model_sink_to_heap(struct model_sink *sink);

void __model_put(struct model_sink *sink, char c);
void __model_put_text(struct model_sink *sink, const char *text);
void __model_put_padding(struct model_sink *sink, char c, long count);

/* Writes out what is still buffered. The length of the text, or -1 with errno
 * set if that is no int. */
int __model_sink_finish(struct model_sink *sink);

/* The engine of the printf family; 0, or -1 with errno set. */
int __model_format(struct model_sink *sink, const char *format, va_list arguments);

/* The engine of the scanf family reads from one of these: from `text`, or with
 * fgetc from `stream` if `text` is NULL. */
struct model_source {
  const char *text;
  void *stream; /* a FILE */
  long consumed;
};

/* `binary` says whether %i knows the prefix 0b, and %b is known, as in C23. */
int __model_scan(struct model_source *source, const char *format,
               va_list arguments, bool binary);

/* The calling thread's virtual time in nanoseconds since 1970; each call moves
 * it on by a millisecond. */
long __model_now(void);
/* Moves the calling thread's virtual time on, as if it had slept. */
void __model_pass_time(long nanoseconds);

struct timespec;

/* Whether this can be the time that a wait ends (which may have passed). */
bool __model_is_deadline(const struct timespec *time);
/* Whether a wait may be timed by this clock. */
bool __model_is_wait_clock(int clock);
/* A wait has ended because its time is up, which moves the calling thread's
 * virtual time on to the deadline: ETIMEDOUT, or EINVAL for a bad deadline. */
int __model_time_out(const struct timespec *deadline);

/* What new threads of POSIX and C11 begin with. */
void *__model_thread_main(void *(*start)(void *), void *argument);
void *__model_c11_main(void *(*start)(void *), void *argument);

/* Runs the destructors of the calling thread's thread-specific data. */
void __model_run_destructors(void);
/* Runs the calling thread's cleanup handlers, the last one first. */
void __model_run_cleanup(void);

/* The file descriptor of a stream (a FILE), -1 if it was closed. */
int __model_descriptor(const void *stream);

#endif
