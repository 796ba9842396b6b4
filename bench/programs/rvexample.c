/* rvexample(N): three threads, main among them, that go round N times each. One sets x and y to 1, under a
 * mutex. One clears x, under the mutex, and if x is positive afterwards, it adds 1 to y and sets x to 2. One
 * looks whether x is above 1; then y must not be 3, and is set to 2. It can be 3: the second thread has to add
 * to the 2 that the third one stored the round before.
 *
 * Everything else is without the mutex. 10 pairs of lines with a data race, if N is at least 2: all that
 * conflict, but for the two that set x under the mutex. With -DATOMIC x and y are atomic, and only the assertion
 * is left.
 *
 * For N = 2, with -DNDEBUG: 107 views, 1,959 classes of executions. Published: 107 executions by maximal causality
 * reduction, 77 by its switch-equivalent form, too few for all views; 1,959 by a classic reduction; 10 races. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif
#ifdef ATOMIC
typedef atomic_int shared_int;
#else
typedef int shared_int;
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static shared_int x, y;

static void sets(void) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&mutex);
    x = 1;
    y = 1;
    pthread_mutex_unlock(&mutex);
  }
}

static void *clears(void *argument) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&mutex);
    x = 0;
    pthread_mutex_unlock(&mutex);
    if (x > 0) {
      y = y + 1;
      x = 2;
    }
  }
  return argument;
}

static void *looks(void *argument) {
  for (int i = 0; i < N; i++) {
    if (x > 1) {
      if (y == 3)
        assert(0);
      else
        y = 2;
    }
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, clears, NULL);
  pthread_create(&threads[1], NULL, looks, NULL);
  sets();
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
