/* Sleeping takes no time here: the thread's virtual clock moves on and the other
 * threads are let go first. */
#define _GNU_SOURCE
#include "model.h"

#include <errno.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static const long second = 1000000000;

static int is_duration(const struct timespec *duration) {
  return duration->tv_sec >= 0 && duration->tv_nsec >= 0 &&
         duration->tv_nsec < second;
}

/* Durations of more than a century count as a century. */
static long nanoseconds(const struct timespec *duration) {
  const long century = 100l * 366 * 24 * 3600;
  long seconds = duration->tv_sec < century ? duration->tv_sec : century;
  return seconds * second + duration->tv_nsec;
}

static void rest(long nanoseconds) {
  if (nanoseconds > 0) __model_pass_time(nanoseconds);
  __selvedge_yield();
}

int nanosleep(const struct timespec *duration, struct timespec *left) {
  (void)left;
  if (!is_duration(duration)) {
    errno = EINVAL;
    return -1;
  }
  rest(nanoseconds(duration));
  return 0;
}

/* The error is the result. */
int clock_nanosleep(clockid_t id, int flags, const struct timespec *duration,
                    struct timespec *left) {
  (void)left;
  if (id < CLOCK_REALTIME || id > CLOCK_TAI || !is_duration(duration)) {
    return EINVAL;
  }
  long passes = nanoseconds(duration);
  if (flags & TIMER_ABSTIME) passes -= __model_now();
  rest(passes);
  return 0;
}

unsigned sleep(unsigned seconds) {
  rest((long)seconds * second);
  return 0;
}

int usleep(useconds_t microseconds) {
  rest((long)microseconds * 1000);
  return 0;
}
