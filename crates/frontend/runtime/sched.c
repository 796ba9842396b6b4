/* The scheduler's interface. Policies, priorities and affinity are accepted and
 * mean nothing; there are four processors, as sysconf says. */
#define _GNU_SOURCE
#include "selvedge_builtins.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>

int sched_yield(void) {
  __selvedge_yield();
  return 0;
}

/* Today's pthread.h renames this one. */
int pthread_yield(void) { return sched_yield(); }

/* The highest (lowest) priority of the policies that have them, else 0. */
static int priority(int policy, int bound) {
  switch (policy) {
    case SCHED_FIFO:
    case SCHED_RR: return bound;
    case SCHED_OTHER:
    case SCHED_BATCH:
    case SCHED_IDLE: return 0;
  }
  errno = EINVAL;
  return -1;
}

int sched_get_priority_max(int policy) { return priority(policy, 99); }
int sched_get_priority_min(int policy) { return priority(policy, 1); }

int sched_setscheduler(pid_t process, int policy,
                       const struct sched_param *parameters) {
  (void)process, (void)policy, (void)parameters;
  return 0;
}

int sched_getscheduler(pid_t process) {
  (void)process;
  return SCHED_OTHER;
}

int sched_setparam(pid_t process, const struct sched_param *parameters) {
  (void)process, (void)parameters;
  return 0;
}

int sched_getparam(pid_t process, struct sched_param *parameters) {
  (void)process;
  parameters->sched_priority = 0;
  return 0;
}

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set) {
  (void)process, (void)size, (void)set;
  return 0;
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
  (void)process;
  if (size < sizeof(unsigned long) || size % sizeof(unsigned long) != 0) {
    errno = EINVAL;
    return -1;
  }
  __builtin_memset(set, 0, size);
  *(unsigned long *)set = 0xf;
  return 0;
}

int sched_getcpu(void) { return 0; }

/* What the macros for sets of processors call. */

int __sched_cpucount(size_t size, const cpu_set_t *set) {
  const unsigned long *words = (const unsigned long *)set;
  int count = 0;
  for (size_t i = 0; i < size / sizeof *words; i++) {
    count += __builtin_popcountl(words[i]);
  }
  return count;
}

cpu_set_t *__sched_cpualloc(size_t count) { return malloc(CPU_ALLOC_SIZE(count)); }

void __sched_cpufree(cpu_set_t *set) { free(set); }
