/* The life of POSIX threads. Of a thread's attributes only the detached state
 * has an effect. Errors in the use of threads (joining twice, joining a detached
 * thread, ...) are violations that the machine finds; they return numbers only if
 * that is allowed, and glibc does.
 *
 * A thread that ends runs its cleanup handlers (only if it ends by pthread_exit)
 * and then the destructors of its thread-specific data, as ordinary code. */
#define _GNU_SOURCE
#include "model.h"

#include <stdlib.h>

#include <errno.h>
#include <pthread.h>

void *__model_thread_main(void *(*start)(void *), void *argument) {
  void *result = start(argument);
  __model_run_destructors();
  return result;
}

/* The handle is stored after the thread may have begun, as POSIX allows: it must
 * not rely on finding its own handle there. */
int pthread_create(pthread_t *restrict thread,
                   const pthread_attr_t *restrict attributes,
                   void *(*start)(void *), void *restrict argument) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes != NULL) pthread_attr_getdetachstate(attributes, &state);
  unsigned long handle = __selvedge_spawn_with(__model_thread_main, start, argument);
  if (handle == 0) return EAGAIN;
  if (state == PTHREAD_CREATE_DETACHED) __selvedge_detach(handle);
  *thread = handle;
  return 0;
}

int pthread_join(pthread_t thread, void **result) {
  int error = __selvedge_join_error(thread);
  if (error != 0) return error;
  void *value = __selvedge_join(thread);
  if (result != NULL) *result = value;
  return 0;
}

/* The machine cannot tell whether a thread has ended without waiting for it. */

int pthread_tryjoin_np(pthread_t thread, void **result) {
  (void)thread, (void)result;
  __selvedge_unsupported("the function `pthread_tryjoin_np`");
}

int pthread_timedjoin_np(pthread_t thread, void **result,
                         const struct timespec *deadline) {
  (void)thread, (void)result, (void)deadline;
  __selvedge_unsupported("the function `pthread_timedjoin_np`");
}

int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
                         const struct timespec *deadline) {
  (void)thread, (void)result, (void)clock, (void)deadline;
  __selvedge_unsupported("the function `pthread_clockjoin_np`");
}

int pthread_detach(pthread_t thread) {
  __selvedge_detach(thread);
  return 0;
}

/* The main thread may do this, too: the others then go on, and the process exits
 * when the last of them has ended. */
_Noreturn void pthread_exit(void *result) {
  const unsigned long main_thread = 1;
  __model_run_cleanup();
  __model_run_destructors();
  if (__selvedge_self() == main_thread) {
    __selvedge_wait_for_others(result);
    exit(0);
  }
  __selvedge_thread_exit(result);
}

pthread_t pthread_self(void) { return __selvedge_self(); }

int pthread_equal(pthread_t one, pthread_t other) { return one == other; }
