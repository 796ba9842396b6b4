/* pool(T, N): T threads borrow an object N times each from a pool of T - 1, and give it back. Who finds the
 * pool empty goes without. To look and to take are two critical sections, and in between somebody else may have
 * taken the last object. With -DFIXED they are one. No data races.
 *
 * Published for T = 2: 3 executions by maximal causality reduction. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef T
#define T 2
#endif
#ifndef N
#define N 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int idle = T - 1;

static bool borrows(void) {
  pthread_mutex_lock(&mutex);
  bool is_there = idle > 0;
#ifndef FIXED
  pthread_mutex_unlock(&mutex);
  if (!is_there)
    return false;
  pthread_mutex_lock(&mutex);
#endif
  if (is_there) {
    assert(idle > 0);
    idle--;
  }
  pthread_mutex_unlock(&mutex);
  return is_there;
}

static void gives_back(void) {
  pthread_mutex_lock(&mutex);
  idle++;
  pthread_mutex_unlock(&mutex);
}

static void *worker(void *argument) {
  for (int i = 0; i < N; i++) {
    if (borrows())
      gives_back();
  }
  return argument;
}

int main(void) {
  pthread_t threads[T];
  for (int i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
