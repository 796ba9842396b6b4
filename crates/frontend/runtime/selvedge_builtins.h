/* What the C models of the library may ask of the virtual machine.
 *
 * A builtin is executed inside the machine in one go, so it must never be
 * handed memory that another thread could see: the models copy from and to the
 * caller's memory with ordinary loads and stores (each of them an event of its
 * own when the memory is shared) and give builtins local buffers only.
 */
#ifndef SELVEDGE_BUILTINS_H
#define SELVEDGE_BUILTINS_H

#include <stddef.h>

/* A new heap object of `size` bytes (0 is fine: a unique address), or NULL when
 * the request can never be met. Contents are zero if `zeroed`, otherwise
 * uninitialised (they read as zero unless uninitialised reads are checked). */
void *__selvedge_allocate(size_t size, size_t align, int zeroed);

/* Ends a heap object's life. NULL is fine. Anything else that is not the start
 * of a live heap object is a violation (double free, invalid free). */
void __selvedge_release(void *object);

/* The size that was asked for when the live heap object was allocated. The same
 * violations as for `__selvedge_release`. */
size_t __selvedge_allocation_size(const void *object);

/* Appends bytes to file descriptor 1 or 2. */
void __selvedge_write(int descriptor, const void *local_bytes, size_t count);

/* Ends the process, no handlers run. */
_Noreturn void __selvedge_exit(int status);

/* abort(): a violation of its own kind. */
_Noreturn void __selvedge_abort(void);

/* A failed assertion. All strings must be constants. */
_Noreturn void __selvedge_assert_fail(const char *expression, const char *file,
                                      unsigned line, const char *function);

/* Stops with error[unsupported] at the caller's caller, naming `what`. */
_Noreturn void __selvedge_unsupported(const char *what);

/* printf's floating conversions, without field width. `conversion` is one of
 * f F e E g G a A; `flags` is a sum of the constants below; a negative
 * `precision` means "none given". Writes at most `capacity` bytes (never a
 * terminating zero) and returns the length of the whole text. */
enum {
  SELVEDGE_FLAG_PLUS = 1,
  SELVEDGE_FLAG_SPACE = 2,
  SELVEDGE_FLAG_ALTERNATE = 4,
};
size_t __selvedge_format_double(char *local_buffer, size_t capacity, double value,
                                int conversion, int flags, int precision);

/* strtod / strtof on `length` bytes that are exactly one well-formed number
 * (optional sign; decimal, hexadecimal, inf, infinity, nan or nan(...); any
 * case). Correctly rounded, overflow gives an infinity, underflow a zero or a
 * subnormal. */
double __selvedge_parse_double(const char *local_text, size_t length);
float __selvedge_parse_float(const char *local_text, size_t length);

/* Threads. A new thread calls `start(argument)`; its handle is never 0. Joining
 * waits for its end and gives what `start` returned. */
unsigned long __selvedge_spawn(void *(*start)(void *), void *argument);
void *__selvedge_join(unsigned long thread);
void __selvedge_detach(unsigned long thread);
unsigned long __selvedge_self(void);
_Noreturn void __selvedge_thread_exit(void *result);

/* Lets other threads go first. */
void __selvedge_yield(void);

#endif
