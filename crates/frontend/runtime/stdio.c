/* Streams: stdin, stdout, stderr and the unformatted functions over them.
 *
 * Deliberate decisions. There is an empty file system that nobody may write to:
 * opening a file to read it fails with ENOENT, anything that would create one
 * with EACCES. Standard input is at its end from the start. Output is written
 * through at once, so buffers and fflush() mean nothing, and printing touches no
 * state of the stream: threads that print at the same time do not race, nor does
 * it matter to anybody in which order they look at it. That a stream was closed
 * is known only to the thread that closed it. Errors and the end of file are flags in the
 * stream where glibc's own macros look for them; they are set atomically, since
 * glibc sets them under the stream's lock. */
#define _GNU_SOURCE
#include "model.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { END_SEEN = 0x10, ERROR_SEEN = 0x20, PUSHED_BACK_MOST = 16, CHUNK = 256 };

/* What ungetc() pushed back fills this from its end. */
static char pushed_back[PUSHED_BACK_MOST];

static FILE input = {
  ._fileno = 0,
  ._IO_read_base = pushed_back,
  ._IO_read_ptr = pushed_back + PUSHED_BACK_MOST,
  ._IO_read_end = pushed_back + PUSHED_BACK_MOST,
};
static FILE output = {._fileno = 1};
static FILE errors = {._fileno = 2};

static _Thread_local bool closed[3];

/* The stream's file descriptor, -1 if it was closed. */
int __model_descriptor(const void *stream) {
  int descriptor = stream == &input ? 0 : stream == &output ? 1 : stream == &errors ? 2 : -1;
  return descriptor >= 0 && closed[descriptor] ? -1 : descriptor;
}

FILE *stdin = &input;
FILE *stdout = &output;
FILE *stderr = &errors;

static void set_flag(FILE *stream, int flag) {
  __atomic_fetch_or(&stream->_flags, flag, __ATOMIC_RELAXED);
}

static int get_flag(FILE *stream, int flag) {
  return (__atomic_load_n(&stream->_flags, __ATOMIC_RELAXED) & flag) != 0;
}

/* Output. */

static int can_write(FILE *stream) {
  if (__model_descriptor(stream) == 1 || __model_descriptor(stream) == 2) return 1;
  set_flag(stream, ERROR_SEEN);
  errno = EBADF;
  return 0;
}

int fputc(int c, FILE *stream) {
  char local = (char)c;
  if (!can_write(stream)) return EOF;
  __selvedge_write(__model_descriptor(stream), &local, 1);
  return (unsigned char)c;
}

int fputs(const char *restrict text, FILE *restrict stream) {
  if (!can_write(stream)) return EOF;
  char local[CHUNK];
  size_t used = 0;
  for (; *text != 0; text++) {
    if (used == CHUNK) {
      __selvedge_write(__model_descriptor(stream), local, used);
      used = 0;
    }
    local[used++] = *text;
  }
  if (used > 0) __selvedge_write(__model_descriptor(stream), local, used);
  return 1;
}

/* The text and its newline leave in one piece if they fit into the buffer. */
int puts(const char *text) {
  if (!can_write(stdout)) return EOF;
  char local[CHUNK];
  size_t used = 0, total = 1;
  for (; *text != 0; text++, total++) {
    local[used++] = *text;
    if (used == CHUNK) {
      __selvedge_write(__model_descriptor(stdout), local, used);
      used = 0;
    }
  }
  local[used++] = '\n';
  __selvedge_write(__model_descriptor(stdout), local, used);
  return total > INT32_MAX ? INT32_MAX : (int)total;
}

size_t fwrite(const void *restrict items, size_t size, size_t count,
              FILE *restrict stream) {
  size_t left = size * count;
  if (left == 0 || !can_write(stream)) return 0;
  const char *from = items;
  char local[CHUNK];
  while (left > 0) {
    size_t chunk = left < CHUNK ? left : CHUNK;
    __builtin_memcpy(local, from, chunk);
    __selvedge_write(__model_descriptor(stream), local, chunk);
    from += chunk;
    left -= chunk;
  }
  return count;
}

int putc(int c, FILE *stream) { return fputc(c, stream); }
int putchar(int c) { return fputc(c, stdout); }
int putc_unlocked(int c, FILE *stream) { return fputc(c, stream); }
int fputc_unlocked(int c, FILE *stream) { return fputc(c, stream); }
int putchar_unlocked(int c) { return fputc(c, stdout); }
int _IO_putc(int c, FILE *stream) { return fputc(c, stream); }
int __overflow(FILE *stream, int c) { return fputc(c, stream); }

int fputs_unlocked(const char *restrict text, FILE *restrict stream) {
  return fputs(text, stream);
}

size_t fwrite_unlocked(const void *restrict items, size_t size, size_t count,
                       FILE *restrict stream) {
  return fwrite(items, size, count, stream);
}

int putw(int word, FILE *stream) {
  return fwrite(&word, sizeof word, 1, stream) == 1 ? 0 : EOF;
}

int fflush(FILE *stream) {
  (void)stream;
  return 0;
}

int fflush_unlocked(FILE *stream) {
  (void)stream;
  return 0;
}

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode,
            size_t size) {
  (void)stream, (void)buffer, (void)mode, (void)size;
  return 0;
}

void setbuf(FILE *restrict stream, char *restrict buffer) {
  (void)stream, (void)buffer;
}

void setbuffer(FILE *restrict stream, char *restrict buffer, size_t size) {
  (void)stream, (void)buffer, (void)size;
}

void setlinebuf(FILE *stream) { (void)stream; }

/* Input: what was pushed back, then the end of the file. */

int fgetc(FILE *stream) {
  if (stream->_IO_read_ptr < stream->_IO_read_end) {
    return (unsigned char)*stream->_IO_read_ptr++;
  }
  if (__model_descriptor(stream) == 0) {
    set_flag(stream, END_SEEN);
  } else {
    set_flag(stream, ERROR_SEEN);
    errno = EBADF;
  }
  return EOF;
}

int ungetc(int c, FILE *stream) {
  if (c == EOF || stream->_IO_read_ptr == stream->_IO_read_base) return EOF;
  *--stream->_IO_read_ptr = (char)c;
  __atomic_fetch_and(&stream->_flags, ~END_SEEN, __ATOMIC_RELAXED);
  return (unsigned char)c;
}

int getc(FILE *stream) { return fgetc(stream); }
int getchar(void) { return fgetc(stdin); }
int getc_unlocked(FILE *stream) { return fgetc(stream); }
int fgetc_unlocked(FILE *stream) { return fgetc(stream); }
int getchar_unlocked(void) { return fgetc(stdin); }
int _IO_getc(FILE *stream) { return fgetc(stream); }
int __uflow(FILE *stream) { return fgetc(stream); }

char *fgets(char *restrict line, int size, FILE *restrict stream) {
  if (size <= 0) return NULL;
  int used = 0;
  while (used < size - 1) {
    int c = fgetc(stream);
    if (c == EOF) break;
    line[used++] = (char)c;
    if (c == '\n') break;
  }
  if (used == 0 && size > 1) return NULL;
  line[used] = 0;
  return line;
}

char *fgets_unlocked(char *restrict line, int size, FILE *restrict stream) {
  return fgets(line, size, stream);
}

size_t fread(void *restrict items, size_t size, size_t count,
             FILE *restrict stream) {
  size_t wanted = size * count;
  unsigned char *to = items;
  for (size_t got = 0; got < wanted; got++) {
    int c = fgetc(stream);
    if (c == EOF) return got / size;
    to[got] = (unsigned char)c;
  }
  return wanted == 0 ? 0 : count;
}

size_t fread_unlocked(void *restrict items, size_t size, size_t count,
                      FILE *restrict stream) {
  return fread(items, size, count, stream);
}

int getw(FILE *stream) {
  int word;
  return fread(&word, sizeof word, 1, stream) == 1 ? word : EOF;
}

/* As in glibc there is a buffer afterwards even if the file was at its end. */
ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter,
                 FILE *restrict stream) {
  if (line == NULL || size == NULL) {
    errno = EINVAL;
    return -1;
  }
  if (*line == NULL || *size == 0) {
    char *fresh = realloc(*line, 120);
    if (fresh == NULL) return -1;
    *line = fresh;
    *size = 120;
  }
  size_t used = 0;
  for (;;) {
    int c = fgetc(stream);
    if (c == EOF) break;
    if (used + 2 > *size) {
      char *larger = realloc(*line, 2 * *size);
      if (larger == NULL) return -1;
      *line = larger;
      *size *= 2;
    }
    (*line)[used++] = (char)c;
    if (c == delimiter) break;
  }
  if (used == 0) return -1;
  (*line)[used] = 0;
  return (ssize_t)used;
}

ssize_t __getdelim(char **restrict line, size_t *restrict size, int delimiter,
                   FILE *restrict stream) {
  return getdelim(line, size, delimiter, stream);
}

ssize_t getline(char **restrict line, size_t *restrict size,
                FILE *restrict stream) {
  return getdelim(line, size, '\n', stream);
}

/* The state of a stream. */

int feof(FILE *stream) { return get_flag(stream, END_SEEN); }
int feof_unlocked(FILE *stream) { return get_flag(stream, END_SEEN); }
int ferror(FILE *stream) { return get_flag(stream, ERROR_SEEN); }
int ferror_unlocked(FILE *stream) { return get_flag(stream, ERROR_SEEN); }

void clearerr(FILE *stream) {
  __atomic_fetch_and(&stream->_flags, ~(END_SEEN | ERROR_SEEN), __ATOMIC_RELAXED);
}

void clearerr_unlocked(FILE *stream) { clearerr(stream); }

int fileno(FILE *stream) {
  if (__model_descriptor(stream) < 0) errno = EBADF;
  return __model_descriptor(stream);
}

int fileno_unlocked(FILE *stream) { return fileno(stream); }

/* The standard streams have no place, they are like pipes. */

int fseek(FILE *stream, long offset, int whence) {
  (void)stream, (void)offset, (void)whence;
  errno = ESPIPE;
  return -1;
}

int fseeko(FILE *stream, off_t offset, int whence) {
  return fseek(stream, offset, whence);
}

long ftell(FILE *stream) {
  (void)stream;
  errno = ESPIPE;
  return -1;
}

off_t ftello(FILE *stream) { return ftell(stream); }

void rewind(FILE *stream) {
  errno = ESPIPE;
  clearerr(stream);
}

int fgetpos(FILE *restrict stream, fpos_t *restrict place) {
  (void)stream, (void)place;
  errno = ESPIPE;
  return -1;
}

int fsetpos(FILE *stream, const fpos_t *place) {
  (void)stream, (void)place;
  errno = ESPIPE;
  return -1;
}

/* Files. */

FILE *fopen(const char *restrict path, const char *restrict mode) {
  (void)path;
  switch (mode[0]) {
    case 'r': errno = ENOENT; break;
    case 'w':
    case 'a': errno = EACCES; break;
    default: errno = EINVAL; break;
  }
  return NULL;
}

FILE *fopen64(const char *restrict path, const char *restrict mode) {
  return fopen(path, mode);
}

int fclose(FILE *stream) {
  if (__model_descriptor(stream) < 0) {
    errno = EBADF;
    return EOF;
  }
  closed[__model_descriptor(stream)] = true;
  return 0;
}

/* The old file is closed first, even though the new one never opens. */
FILE *freopen(const char *restrict path, const char *restrict mode,
              FILE *restrict stream) {
  int descriptor = __model_descriptor(stream);
  if (descriptor >= 0) closed[descriptor] = true;
  return fopen(path, mode);
}

FILE *fdopen(int descriptor, const char *mode) {
  (void)mode;
  switch (descriptor) {
    case 0: return stdin;
    case 1: return stdout;
    case 2: return stderr;
  }
  errno = EBADF;
  return NULL;
}

FILE *tmpfile(void) {
  errno = EACCES;
  return NULL;
}

int remove(const char *path) {
  (void)path;
  errno = ENOENT;
  return -1;
}

int rename(const char *from, const char *to) {
  (void)from, (void)to;
  errno = ENOENT;
  return -1;
}
