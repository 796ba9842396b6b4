/* airline(T, N): T clerks sell tickets for one flight with one seat less than they have customers, N each. A
 * clerk looks under the mutex whether a seat is left, and sells one under the mutex; in between, somebody else
 * may sell the last one. With -DFIXED looking and selling is one critical section. No data races.
 *
 * Published for T = 3: 2,222 executions by maximal causality reduction, 1,354 by its switch-equivalent form. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef T
#define T 3
#endif
#ifndef N
#define N 1
#endif

#define SEATS (T * N - 1)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sold;

static void *clerk(void *argument) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&mutex);
    bool is_left = sold < SEATS;
#ifndef FIXED
    pthread_mutex_unlock(&mutex);
    if (!is_left)
      break;
    pthread_mutex_lock(&mutex);
#endif
    if (is_left)
      sold++;
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

int main(void) {
  pthread_t threads[T];
  for (int i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, clerk, NULL);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  assert(sold <= SEATS);
  return 0;
}
