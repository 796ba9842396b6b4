/* The life of POSIX threads. Attributes are accepted and have no effect: stack
 * sizes and scheduling policies are not modelled. */

#include "selvedge_builtins.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*start)(void *), void *argument) {
  (void)attributes;
  unsigned long handle = __selvedge_spawn(start, argument);
  if (handle == 0)
    return EAGAIN;
  *thread = handle;
  return 0;
}

int pthread_join(pthread_t thread, void **result) {
  void *value = __selvedge_join(thread);
  if (result)
    *result = value;
  return 0;
}

int pthread_detach(pthread_t thread) {
  __selvedge_detach(thread);
  return 0;
}

void pthread_exit(void *result) { __selvedge_thread_exit(result); }

pthread_t pthread_self(void) { return __selvedge_self(); }

int pthread_equal(pthread_t one, pthread_t other) { return one == other; }

int sched_yield(void) {
  __selvedge_yield();
  return 0;
}
