/* Barriers. The thread that arrives last is the one that gets the special result.
 * Sharing between processes is accepted as an attribute and means nothing. */
#include "selvedge_builtins.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>

int pthread_barrier_init(pthread_barrier_t *restrict barrier,
                         const pthread_barrierattr_t *restrict attributes,
                         unsigned threads) {
  (void)attributes;
  if (threads > INT_MAX) return EINVAL;
  return __selvedge_barrier_init(barrier, (int)threads);
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  int generation = __selvedge_barrier_arrive(barrier);
  if (generation < 0) return PTHREAD_BARRIER_SERIAL_THREAD;
  return __selvedge_barrier_block(barrier, generation);
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  return __selvedge_barrier_destroy(barrier);
}

int pthread_barrierattr_init(pthread_barrierattr_t *attributes) {
  attributes->__align = PTHREAD_PROCESS_PRIVATE;
  return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) {
    return EINVAL;
  }
  attributes->__align = shared;
  return 0;
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *restrict attributes,
                                   int *restrict shared) {
  *shared = attributes->__align;
  return 0;
}
