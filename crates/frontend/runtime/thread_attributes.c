/* Attributes of new threads. They are kept, so that they can be asked for, but
 * only the detached state has an effect. */
#define _GNU_SOURCE
#include "selvedge_builtins.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

struct attributes {
  int detach_state;
  int inherit;
  int policy;
  int priority;
  void *stack; /* its lowest byte */
  size_t stack_size;
  size_t guard_size;
};

_Static_assert(sizeof(struct attributes) <= sizeof(pthread_attr_t), "fits");

enum { LEAST_STACK = 16384, DEFAULT_STACK = 8 << 20, PAGE = 4096 };

static struct attributes *of(pthread_attr_t *attributes) {
  return (struct attributes *)attributes;
}

static const struct attributes *in(const pthread_attr_t *attributes) {
  return (const struct attributes *)attributes;
}

static int is_policy(int policy) {
  return policy == SCHED_OTHER || policy == SCHED_FIFO || policy == SCHED_RR;
}

int pthread_attr_init(pthread_attr_t *attributes) {
  struct attributes *to = of(attributes);
  to->detach_state = PTHREAD_CREATE_JOINABLE;
  to->inherit = PTHREAD_INHERIT_SCHED;
  to->policy = SCHED_OTHER;
  to->priority = 0;
  to->stack = NULL;
  to->stack_size = DEFAULT_STACK;
  to->guard_size = PAGE;
  return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
  if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) {
    return EINVAL;
  }
  of(attributes)->detach_state = state;
  return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state) {
  *state = in(attributes)->detach_state;
  return 0;
}

/* The stack. */

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size) {
  if (size < LEAST_STACK) return EINVAL;
  of(attributes)->stack_size = size;
  return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *restrict attributes,
                              size_t *restrict size) {
  *size = in(attributes)->stack_size;
  return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size) {
  of(attributes)->guard_size = size;
  return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attributes, size_t *size) {
  *size = in(attributes)->guard_size;
  return 0;
}

int pthread_attr_setstack(pthread_attr_t *attributes, void *stack, size_t size) {
  if (size < LEAST_STACK) return EINVAL;
  of(attributes)->stack = stack;
  of(attributes)->stack_size = size;
  return 0;
}

int pthread_attr_getstack(const pthread_attr_t *restrict attributes,
                          void **restrict stack, size_t *restrict size) {
  *stack = in(attributes)->stack;
  *size = in(attributes)->stack_size;
  return 0;
}

/* The scheduler. */

int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit) {
  if (inherit != PTHREAD_INHERIT_SCHED && inherit != PTHREAD_EXPLICIT_SCHED) {
    return EINVAL;
  }
  of(attributes)->inherit = inherit;
  return 0;
}

int pthread_attr_getinheritsched(const pthread_attr_t *restrict attributes,
                                 int *restrict inherit) {
  *inherit = in(attributes)->inherit;
  return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy) {
  if (!is_policy(policy)) return EINVAL;
  of(attributes)->policy = policy;
  return 0;
}

int pthread_attr_getschedpolicy(const pthread_attr_t *restrict attributes,
                                int *restrict policy) {
  *policy = in(attributes)->policy;
  return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *restrict attributes,
                               const struct sched_param *restrict parameters) {
  of(attributes)->priority = parameters->sched_priority;
  return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *restrict attributes,
                               struct sched_param *restrict parameters) {
  parameters->sched_priority = in(attributes)->priority;
  return 0;
}

int pthread_attr_setscope(pthread_attr_t *attributes, int scope) {
  (void)attributes;
  if (scope == PTHREAD_SCOPE_PROCESS) return ENOTSUP; /* as on Linux */
  return scope == PTHREAD_SCOPE_SYSTEM ? 0 : EINVAL;
}

int pthread_attr_getscope(const pthread_attr_t *restrict attributes,
                          int *restrict scope) {
  (void)attributes;
  *scope = PTHREAD_SCOPE_SYSTEM;
  return 0;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size,
                                const cpu_set_t *set) {
  (void)attributes, (void)size, (void)set;
  return 0;
}

/* Without having been set, all processors there are. */
int pthread_attr_getaffinity_np(const pthread_attr_t *attributes, size_t size,
                                cpu_set_t *set) {
  (void)attributes;
  return pthread_getaffinity_np(pthread_self(), size, set);
}

int pthread_attr_setsigmask_np(pthread_attr_t *attributes, const sigset_t *mask) {
  (void)attributes, (void)mask;
  return 0;
}

int pthread_attr_getsigmask_np(const pthread_attr_t *attributes, sigset_t *mask) {
  (void)attributes, (void)mask;
  return PTHREAD_ATTR_NO_SIGMASK_NP;
}

/* The attributes of threads to come, and of one that exists. */

int pthread_getattr_default_np(pthread_attr_t *attributes) {
  return pthread_attr_init(attributes);
}

int pthread_setattr_default_np(const pthread_attr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
  (void)thread, (void)attributes;
  __selvedge_unsupported("the function `pthread_getattr_np`");
}
