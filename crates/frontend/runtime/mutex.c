/* Mutexes. Adaptive ones are normal ones. Sharing between processes and the
 * protocols against priority inversion are accepted and mean nothing; robust
 * mutexes are not modelled. A timed lock gives up whenever the mutex is taken:
 * any amount of time may have passed. */
#define _GNU_SOURCE
#include "model.h"

#include <errno.h>
#include <pthread.h>

/* An attribute object is one int: the type in the lowest bits, then the rest. */
enum {
  TYPE = 3,
  PROTOCOL_SHIFT = 4,
  PROTOCOL = 3 << PROTOCOL_SHIFT,
  SHARED = 1 << 8,
  CEILING_SHIFT = 12,
  CEILING = 0xff << CEILING_SHIFT,
};

int pthread_mutex_init(pthread_mutex_t *mutex,
                       const pthread_mutexattr_t *attributes) {
  int type = attributes != NULL ? attributes->__align & TYPE : PTHREAD_MUTEX_NORMAL;
  return __selvedge_mutex_init(
      mutex, type == PTHREAD_MUTEX_ADAPTIVE_NP ? PTHREAD_MUTEX_NORMAL : type);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  return __selvedge_mutex_lock(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  return __selvedge_mutex_trylock(mutex);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
                            const struct timespec *restrict deadline) {
  int error = __selvedge_mutex_timedlock(mutex);
  return error == ETIMEDOUT ? __model_time_out(deadline) : error;
}

int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t clock,
                            const struct timespec *restrict deadline) {
  if (!__model_is_wait_clock(clock)) return EINVAL;
  return pthread_mutex_timedlock(mutex, deadline);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  return __selvedge_mutex_unlock(mutex);
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  return __selvedge_mutex_destroy(mutex);
}

int pthread_mutex_consistent(pthread_mutex_t *mutex) {
  (void)mutex;
  __selvedge_unsupported("the function `pthread_mutex_consistent` (robust mutexes)");
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *restrict mutex,
                                 int *restrict ceiling) {
  (void)mutex, (void)ceiling;
  __selvedge_unsupported("the function `pthread_mutex_getprioceiling`");
}

int pthread_mutex_setprioceiling(pthread_mutex_t *restrict mutex, int ceiling,
                                 int *restrict old) {
  (void)mutex, (void)ceiling, (void)old;
  __selvedge_unsupported("the function `pthread_mutex_setprioceiling`");
}

/* Attributes. */

static void set(pthread_mutexattr_t *attributes, int mask, int value) {
  attributes->__align = (attributes->__align & ~mask) | value;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  attributes->__align = PTHREAD_MUTEX_DEFAULT;
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
  if (type < PTHREAD_MUTEX_NORMAL || type > PTHREAD_MUTEX_ADAPTIVE_NP) return EINVAL;
  set(attributes, TYPE, type);
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes,
                              int *restrict type) {
  *type = attributes->__align & TYPE;
  return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) {
    return EINVAL;
  }
  set(attributes, SHARED, shared == PTHREAD_PROCESS_SHARED ? SHARED : 0);
  return 0;
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *restrict attributes,
                                 int *restrict shared) {
  *shared = attributes->__align & SHARED ? PTHREAD_PROCESS_SHARED
                                         : PTHREAD_PROCESS_PRIVATE;
  return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) {
  if (protocol < PTHREAD_PRIO_NONE || protocol > PTHREAD_PRIO_PROTECT) return EINVAL;
  set(attributes, PROTOCOL, protocol << PROTOCOL_SHIFT);
  return 0;
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict attributes,
                                  int *restrict protocol) {
  *protocol = (attributes->__align & PROTOCOL) >> PROTOCOL_SHIFT;
  return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling) {
  if (ceiling < 1 || ceiling > 99) return EINVAL;
  set(attributes, CEILING, ceiling << CEILING_SHIFT);
  return 0;
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *restrict attributes,
                                     int *restrict ceiling) {
  int value = (attributes->__align & CEILING) >> CEILING_SHIFT;
  *ceiling = value != 0 ? value : 1;
  return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust) {
  (void)attributes;
  if (robust == PTHREAD_MUTEX_ROBUST) __selvedge_unsupported("robust mutexes");
  return robust == PTHREAD_MUTEX_STALLED ? 0 : EINVAL;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robust) {
  (void)attributes;
  *robust = PTHREAD_MUTEX_STALLED;
  return 0;
}
