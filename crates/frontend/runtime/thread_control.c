/* What can be asked of a running thread. There is no cancellation: its state and
 * type can be set, but nobody can cancel a thread. Priorities and affinity are
 * accepted and mean nothing. A thread can ask only for its own name. */
#define _GNU_SOURCE
#include "selvedge_builtins.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

/* Cancellation. */

static _Thread_local int cancel_state = PTHREAD_CANCEL_ENABLE;
static _Thread_local int cancel_type = PTHREAD_CANCEL_DEFERRED;

int pthread_cancel(pthread_t thread) {
  (void)thread;
  __selvedge_unsupported("the function `pthread_cancel` (cancellation of threads)");
}

int pthread_setcancelstate(int state, int *old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) {
    return EINVAL;
  }
  if (old != NULL) *old = cancel_state;
  cancel_state = state;
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) {
    return EINVAL;
  }
  if (old != NULL) *old = cancel_type;
  cancel_type = type;
  return 0;
}

void pthread_testcancel(void) {}

/* Signals between threads. */

int pthread_kill(pthread_t thread, int number) {
  (void)thread, (void)number;
  __selvedge_unsupported("the function `pthread_kill` (signals between threads)");
}

int pthread_sigqueue(pthread_t thread, int number, const union sigval value) {
  (void)thread, (void)number, (void)value;
  __selvedge_unsupported("the function `pthread_sigqueue` (signals between threads)");
}

/* Names. */

enum { NAME = 16 };

static _Thread_local char own_name[NAME] = "program";

int pthread_setname_np(pthread_t thread, const char *name) {
  size_t length = 0;
  while (name[length] != 0) length++;
  if (length >= NAME) return ERANGE;
  if (thread != pthread_self()) return 0;
  for (size_t i = 0; i <= length; i++) own_name[i] = name[i];
  return 0;
}

int pthread_getname_np(pthread_t thread, char *name, size_t size) {
  if (size < NAME) return ERANGE;
  if (thread != pthread_self()) {
    __selvedge_unsupported("pthread_getname_np of another thread");
  }
  size_t i = 0;
  do {
    name[i] = own_name[i];
  } while (own_name[i++] != 0);
  return 0;
}

/* The scheduler. */

int pthread_getconcurrency(void) { return 0; }

int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : 0; }

int pthread_setschedparam(pthread_t thread, int policy,
                          const struct sched_param *parameters) {
  (void)thread, (void)policy, (void)parameters;
  return 0;
}

int pthread_getschedparam(pthread_t thread, int *restrict policy,
                          struct sched_param *restrict parameters) {
  (void)thread;
  *policy = SCHED_OTHER;
  parameters->sched_priority = 0;
  return 0;
}

int pthread_setschedprio(pthread_t thread, int priority) {
  (void)thread, (void)priority;
  return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) {
  (void)thread, (void)size, (void)set;
  return 0;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
  (void)thread;
  return sched_getaffinity(0, size, set) == 0 ? 0 : EINVAL;
}

int pthread_getcpuclockid(pthread_t thread, clockid_t *clock) {
  (void)thread, (void)clock;
  __selvedge_unsupported("the function `pthread_getcpuclockid`");
}

/* There is no fork. */
int pthread_atfork(void (*prepare)(void), void (*parent)(void),
                   void (*child)(void)) {
  (void)prepare, (void)parent, (void)child;
  return 0;
}

int __register_atfork(void (*prepare)(void), void (*parent)(void),
                      void (*child)(void), void *library) {
  (void)library;
  return pthread_atfork(prepare, parent, child);
}
