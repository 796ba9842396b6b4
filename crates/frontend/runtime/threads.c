/* The threads of C11, over the same builtins as those of POSIX; the two can be
 * mixed as with glibc. (call_once is in once.c.) */
#define _GNU_SOURCE
#include "model.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

static int status(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
  }
  return thrd_error;
}

/* Threads. The result is an int on its way through a pointer. */

void *__model_c11_main(void *(*start)(void *), void *argument) {
  int result = ((thrd_start_t)(void *)start)(argument);
  __model_run_destructors();
  return (void *)(long)result;
}

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
  unsigned long handle = __selvedge_spawn_with(
      __model_c11_main, (void *(*)(void *))(void *)start, argument);
  if (handle == 0) return thrd_nomem;
  *thread = handle;
  return thrd_success;
}

int thrd_join(thrd_t thread, int *result) {
  int error = __selvedge_join_error(thread);
  if (error != 0) return status(error);
  void *value = __selvedge_join(thread);
  if (result != NULL) *result = (int)(long)value;
  return thrd_success;
}

int thrd_detach(thrd_t thread) {
  __selvedge_detach(thread);
  return thrd_success;
}

_Noreturn void thrd_exit(int result) { pthread_exit((void *)(long)result); }

thrd_t thrd_current(void) { return __selvedge_self(); }

int thrd_equal(thrd_t one, thrd_t other) { return one == other; }

void thrd_yield(void) { __selvedge_yield(); }

int thrd_sleep(const struct timespec *duration, struct timespec *left) {
  return clock_nanosleep(CLOCK_REALTIME, 0, duration, left) == 0 ? 0 : -2;
}

/* Mutexes: every kind can be locked with a time limit, and unknown kinds are
 * plain, as with glibc. */

int mtx_init(mtx_t *mutex, int type) {
  bool recursive = (type & ~mtx_timed) == mtx_recursive;
  int kind = recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
  return status(__selvedge_mutex_init(mutex, kind));
}

int mtx_lock(mtx_t *mutex) { return status(__selvedge_mutex_lock(mutex)); }

int mtx_trylock(mtx_t *mutex) { return status(__selvedge_mutex_trylock(mutex)); }

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict deadline) {
  int error = __selvedge_mutex_timedlock(mutex);
  return status(error == ETIMEDOUT ? __model_time_out(deadline) : error);
}

int mtx_unlock(mtx_t *mutex) { return status(__selvedge_mutex_unlock(mutex)); }

void mtx_destroy(mtx_t *mutex) { __selvedge_mutex_destroy(mutex); }

/* Condition variables. */

int cnd_init(cnd_t *condition) { return status(__selvedge_condition_init(condition)); }

int cnd_wait(cnd_t *condition, mtx_t *mutex) {
  return status(
      pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
                  const struct timespec *restrict deadline) {
  return status(pthread_cond_timedwait((pthread_cond_t *)condition,
                                       (pthread_mutex_t *)mutex, deadline));
}

int cnd_signal(cnd_t *condition) {
  return status(__selvedge_condition_signal(condition));
}

int cnd_broadcast(cnd_t *condition) {
  return status(__selvedge_condition_broadcast(condition));
}

void cnd_destroy(cnd_t *condition) { __selvedge_condition_destroy(condition); }

/* Thread-specific storage. */

int tss_create(tss_t *key, tss_dtor_t destructor) {
  return status(pthread_key_create(key, destructor));
}

void *tss_get(tss_t key) { return pthread_getspecific(key); }

int tss_set(tss_t key, void *value) {
  return status(pthread_setspecific(key, value));
}

void tss_delete(tss_t key) { pthread_key_delete(key); }
