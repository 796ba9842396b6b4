/* Clocks: deterministic ones. Each thread has a virtual clock of its own (so that
 * asking for the time shares no state between threads); it starts at
 * 1 000 000 000 s, in September 2001, and moves on by a millisecond whenever it is
 * asked, and by the whole duration when the thread sleeps. All clocks show this
 * time, except those of processor time, which show how much of it has passed. */
#define _GNU_SOURCE
#include "model.h"

#include <errno.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

static const long start = 1000000000;
static const long second = 1000000000;
static const long query = 1000000;

/* Nanoseconds that the thread has slept. The machine knows the variable by name:
 * a loop that only lets time pass changes nothing. */
_Thread_local long __model_passed;

/* How often the thread has looked at the clock. That is a change: a loop that
 * looks at the clock comes to an end by it. */
static _Thread_local long queries;

long __model_now(void) {
  queries++;
  return start * second + __model_passed + queries * query;
}

/* Durations that would leave the range of the clock stop at its end. */
void __model_pass_time(long nanoseconds) {
  const long limit = INT64_MAX / 4;
  __model_passed = nanoseconds > limit - __model_passed ? limit : __model_passed + nanoseconds;
}

bool __model_is_deadline(const struct timespec *time) {
  return time->tv_nsec >= 0 && time->tv_nsec < second;
}

bool __model_is_wait_clock(int clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

int __model_time_out(const struct timespec *deadline) {
  if (!__model_is_deadline(deadline)) return EINVAL;
  const long latest = 9000000000; /* about what fits */
  long seconds = deadline->tv_sec < latest ? deadline->tv_sec : latest;
  if (seconds < start) return ETIMEDOUT; /* it passed before the program began */
  long passes = seconds * second + deadline->tv_nsec - __model_now();
  if (passes > 0) __model_pass_time(passes);
  return ETIMEDOUT;
}

static void set(struct timespec *to, long nanoseconds) {
  to->tv_sec = nanoseconds / second;
  to->tv_nsec = nanoseconds % second;
}

time_t time(time_t *result) {
  time_t now = __model_now() / second;
  if (result != NULL) *result = now;
  return now;
}

clock_t clock(void) {
  return (__model_now() - start * second) / (second / CLOCKS_PER_SEC);
}

static int is_clock(clockid_t id) {
  if (id >= CLOCK_REALTIME && id <= CLOCK_TAI) return 1;
  errno = EINVAL;
  return 0;
}

int clock_gettime(clockid_t id, struct timespec *result) {
  if (!is_clock(id)) return -1;
  long now = __model_now();
  if (id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID) {
    now -= start * second;
  }
  set(result, now);
  return 0;
}

int clock_getres(clockid_t id, struct timespec *result) {
  if (!is_clock(id)) return -1;
  if (result != NULL) set(result, 1);
  return 0;
}

int timespec_get(struct timespec *result, int base) {
  if (base != TIME_UTC) return 0;
  set(result, __model_now());
  return base;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  long now = __model_now();
  if (zone != NULL) __builtin_memset(zone, 0, sizeof(struct timezone));
  result->tv_sec = now / second;
  result->tv_usec = now % second / 1000;
  return 0;
}
