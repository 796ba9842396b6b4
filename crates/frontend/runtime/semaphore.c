/* Semaphores without a name. A timed wait gives up whenever the value is 0: any
 * amount of time may have passed. */
#define _GNU_SOURCE
#include "model.h"

#include <errno.h>
#include <limits.h>
#include <semaphore.h>

static int result(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
  (void)shared;
  if (value > INT_MAX) return result(EINVAL);
  return result(__selvedge_semaphore_init(semaphore, (int)value));
}

int sem_wait(sem_t *semaphore) {
  return result(__selvedge_semaphore_wait(semaphore));
}

int sem_trywait(sem_t *semaphore) {
  return result(__selvedge_semaphore_trywait(semaphore));
}

int sem_timedwait(sem_t *restrict semaphore,
                  const struct timespec *restrict deadline) {
  int error = __selvedge_semaphore_trywait(semaphore);
  return result(error == EAGAIN ? __model_time_out(deadline) : error);
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock,
                  const struct timespec *restrict deadline) {
  if (!__model_is_wait_clock(clock)) return result(EINVAL);
  return sem_timedwait(semaphore, deadline);
}

int sem_post(sem_t *semaphore) {
  return result(__selvedge_semaphore_post(semaphore));
}

int sem_getvalue(sem_t *restrict semaphore, int *restrict value) {
  *value = __selvedge_semaphore_value(semaphore);
  return 0;
}

int sem_destroy(sem_t *semaphore) {
  return result(__selvedge_semaphore_destroy(semaphore));
}

sem_t *sem_open(const char *name, int flags, ...) {
  (void)name, (void)flags;
  __selvedge_unsupported("the function `sem_open` (semaphores with a name)");
}

int sem_close(sem_t *semaphore) {
  (void)semaphore;
  __selvedge_unsupported("the function `sem_close` (semaphores with a name)");
}

int sem_unlink(const char *name) {
  (void)name;
  __selvedge_unsupported("the function `sem_unlink` (semaphores with a name)");
}
