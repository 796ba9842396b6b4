/* Condition variables. Waiting is three steps of the machine; in a timed wait the
 * time may be up at any moment. Clocks and sharing between processes are accepted
 * as attributes and mean nothing. */
#define _GNU_SOURCE
#include "model.h"

#include <errno.h>
#include <pthread.h>

int pthread_cond_init(pthread_cond_t *restrict condition,
                      const pthread_condattr_t *restrict attributes) {
  (void)attributes;
  return __selvedge_condition_init(condition);
}

int pthread_cond_wait(pthread_cond_t *restrict condition,
                      pthread_mutex_t *restrict mutex) {
  int error = __selvedge_condition_release(condition, mutex);
  if (error != 0) return error;
  __selvedge_condition_block(condition, 0);
  return __selvedge_mutex_lock(mutex);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition,
                           pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline) {
  if (!__model_is_deadline(deadline)) return EINVAL;
  int error = __selvedge_condition_release(condition, mutex);
  if (error != 0) return error;
  int outcome = __selvedge_condition_block(condition, 1);
  if (outcome == ETIMEDOUT) __model_time_out(deadline);
  error = __selvedge_mutex_lock(mutex);
  return error != 0 ? error : outcome;
}

int pthread_cond_clockwait(pthread_cond_t *restrict condition,
                           pthread_mutex_t *restrict mutex, clockid_t clock,
                           const struct timespec *restrict deadline) {
  if (!__model_is_wait_clock(clock)) return EINVAL;
  return pthread_cond_timedwait(condition, mutex, deadline);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  return __selvedge_condition_signal(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  return __selvedge_condition_broadcast(condition);
}

int pthread_cond_destroy(pthread_cond_t *condition) {
  return __selvedge_condition_destroy(condition);
}

/* Attributes: one int, the clock and a bit for sharing. */
enum { CLOCK = 15, SHARED = 16 };

int pthread_condattr_init(pthread_condattr_t *attributes) {
  attributes->__align = CLOCK_REALTIME;
  return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
  if (!__model_is_wait_clock(clock)) return EINVAL;
  attributes->__align = (attributes->__align & ~CLOCK) | clock;
  return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *restrict attributes,
                              clockid_t *restrict clock) {
  *clock = attributes->__align & CLOCK;
  return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) {
    return EINVAL;
  }
  int bit = shared == PTHREAD_PROCESS_SHARED ? SHARED : 0;
  attributes->__align = (attributes->__align & ~SHARED) | bit;
  return 0;
}

int pthread_condattr_getpshared(const pthread_condattr_t *restrict attributes,
                                int *restrict shared) {
  *shared = attributes->__align & SHARED ? PTHREAD_PROCESS_SHARED
                                         : PTHREAD_PROCESS_PRIVATE;
  return 0;
}
