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

/* Threads. A new thread calls `main(start, argument)`; the result is its handle,
 * or 0 if there can be no more threads. Joining waits for its end and gives what
 * `main` returned. */
unsigned long __selvedge_spawn_with(void *(*main)(void *(*)(void *), void *),
                                    void *(*start)(void *), void *argument);
void *__selvedge_join(unsigned long thread);
/* The error number that joining gives although it is an error of the program, if
 * that is allowed; 0 if there is something to wait for, or to report. */
int __selvedge_join_error(unsigned long thread);
void __selvedge_detach(unsigned long thread);
unsigned long __selvedge_self(void);
_Noreturn void __selvedge_thread_exit(void *result);

/* Waits for the end of all other threads. Who joins this one meanwhile gets
 * `result`. */
void __selvedge_wait_for_others(void *result);

/* Lets other threads go first. */
void __selvedge_yield(void);

/* Synchronisation objects. Each call is one step that other threads see as a
 * whole, and gives 0 or an error number. The state is kept in the object's first
 * bytes: at most 20 of a mutex (whose kind is where glibc's initialisers put it),
 * 8 of a readers-writer lock or semaphore, 16 of a barrier, 4 of the others. All
 * zero is the initial state, but of semaphores and barriers, which must be set up. */
int __selvedge_mutex_init(void *mutex, int kind); /* 0 normal, 1 recursive, 2 error-checking */
int __selvedge_mutex_lock(void *mutex);           /* blocks */
int __selvedge_mutex_trylock(void *mutex);
int __selvedge_mutex_timedlock(void *mutex);
int __selvedge_mutex_unlock(void *mutex);
int __selvedge_mutex_destroy(void *mutex);

/* Waiting is three steps: release (gives the mutex back and begins to wait),
 * block (until a signal has chosen this thread, or the time is up: ETIMEDOUT), and
 * then the mutex is locked again. */
int __selvedge_condition_init(void *condition);
int __selvedge_condition_release(void *condition, void *mutex);
int __selvedge_condition_block(void *condition, int timed);
int __selvedge_condition_signal(void *condition);
int __selvedge_condition_broadcast(void *condition);
int __selvedge_condition_destroy(void *condition);

int __selvedge_rwlock_init(void *lock);
int __selvedge_rwlock_rdlock(void *lock); /* blocks */
int __selvedge_rwlock_tryrdlock(void *lock);
int __selvedge_rwlock_wrlock(void *lock); /* blocks */
int __selvedge_rwlock_trywrlock(void *lock);
int __selvedge_rwlock_unlock(void *lock, int reads); /* whether the thread has it for reading */
int __selvedge_rwlock_destroy(void *lock);

int __selvedge_semaphore_init(void *semaphore, int value);
int __selvedge_semaphore_wait(void *semaphore); /* blocks */
int __selvedge_semaphore_trywait(void *semaphore); /* EAGAIN */
int __selvedge_semaphore_post(void *semaphore);
int __selvedge_semaphore_value(void *semaphore); /* the value, not an error */
int __selvedge_semaphore_destroy(void *semaphore);

/* Arriving gives the generation to block for; the last thread to arrive gets -1
 * and does not block. */
int __selvedge_barrier_init(void *barrier, int threads); /* EINVAL for 0 */
int __selvedge_barrier_arrive(void *barrier);
int __selvedge_barrier_block(void *barrier, int generation);
int __selvedge_barrier_destroy(void *barrier);

int __selvedge_spin_init(void *lock);
int __selvedge_spin_lock(void *lock); /* blocks */
int __selvedge_spin_trylock(void *lock);
int __selvedge_spin_unlock(void *lock);
int __selvedge_spin_destroy(void *lock);

/* Gives 1 to the thread that must perform the action and then call `end`, 0 to
 * those that come later; blocks while the action is being performed. */
int __selvedge_once_begin(void *once);
int __selvedge_once_end(void *once);

/* Verification. A choice is explored with every number below `options`; nondet
 * gives the numbers of the range the user chose; a failed assumption discards the
 * execution; no other thread runs inside an atomic section. */
int __selvedge_choose(int options);
int __selvedge_nondet(void);
void __selvedge_assume(int condition);
void __selvedge_atomic_begin(void);
void __selvedge_atomic_end(void);

#endif
