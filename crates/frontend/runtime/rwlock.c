/* Readers-writer locks. Nobody is preferred, whatever the attributes say: any
 * thread that can have the lock may be the next. A timed lock gives up whenever
 * it would have to wait: any amount of time may have passed.
 *
 * The lock itself only counts who reads. Which locks a thread has for reading
 * is its own affair: it is kept here, so that one that gives back what it does
 * not have is found in every order. Beyond sixteen at a time, that is not known. */
#define _GNU_SOURCE
#include "model.h"

#include <errno.h>
#include <pthread.h>

int pthread_rwlock_init(pthread_rwlock_t *restrict lock,
                        const pthread_rwlockattr_t *restrict attributes) {
  (void)attributes;
  return __selvedge_rwlock_init(lock);
}

enum { KNOWN = 16 };
static _Thread_local struct reading {
  pthread_rwlock_t *lock;
  int count;
} readings[KNOWN];
/* How many could not be kept. */
static _Thread_local int unknown;

/* What a thread knows of a lock; or room for that, if lock is NULL. */
static struct reading *reading_of(pthread_rwlock_t *lock) {
  for (int i = 0; i < KNOWN; i++)
    if (readings[i].lock == lock) return &readings[i];
  return NULL;
}

/* Takes note that the thread has a lock for reading, if there was no error. */
static int noted(pthread_rwlock_t *lock, int error) {
  if (error) return error;
  struct reading *reading = reading_of(lock);
  if (!reading) reading = reading_of(NULL);
  if (reading) {
    reading->lock = lock;
    reading->count++;
  } else {
    unknown++;
  }
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  return noted(lock, __selvedge_rwlock_rdlock(lock));
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  return noted(lock, __selvedge_rwlock_tryrdlock(lock));
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  return __selvedge_rwlock_wrlock(lock);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  return __selvedge_rwlock_trywrlock(lock);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict deadline) {
  int error = noted(lock, __selvedge_rwlock_tryrdlock(lock));
  return error == EBUSY ? __model_time_out(deadline) : error;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict deadline) {
  int error = __selvedge_rwlock_trywrlock(lock);
  return error == EBUSY ? __model_time_out(deadline) : error;
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                               const struct timespec *restrict deadline) {
  if (!__model_is_wait_clock(clock)) return EINVAL;
  return pthread_rwlock_timedrdlock(lock, deadline);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                               const struct timespec *restrict deadline) {
  if (!__model_is_wait_clock(clock)) return EINVAL;
  return pthread_rwlock_timedwrlock(lock, deadline);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  struct reading *reading = reading_of(lock);
  int error = __selvedge_rwlock_unlock(lock, reading || unknown);
  if (error) return error;
  if (reading) {
    if (--reading->count == 0) reading->lock = NULL;
  } else if (unknown) {
    unknown--;
  }
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  return __selvedge_rwlock_destroy(lock);
}

/* Attributes: the kind in the lowest bits, and a bit for sharing. */
enum { KIND = 3, SHARED = 4 };

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) {
  attributes->__align = PTHREAD_RWLOCK_DEFAULT_NP;
  return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind) {
  if (kind < PTHREAD_RWLOCK_PREFER_READER_NP ||
      kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) {
    return EINVAL;
  }
  attributes->__align = (attributes->__align & ~KIND) | kind;
  return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *restrict attributes,
                                  int *restrict kind) {
  *kind = attributes->__align & KIND;
  return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) {
    return EINVAL;
  }
  int bit = shared == PTHREAD_PROCESS_SHARED ? SHARED : 0;
  attributes->__align = (attributes->__align & ~SHARED) | bit;
  return 0;
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *restrict attributes,
                                  int *restrict shared) {
  *shared = attributes->__align & SHARED ? PTHREAD_PROCESS_SHARED
                                         : PTHREAD_PROCESS_PRIVATE;
  return 0;
}
