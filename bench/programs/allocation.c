/* allocation(T, N): T threads take N blocks each from a vector, which has enough for all, and then free them.
 * To look for a free block and to mark it are two critical sections, so that a block may be given to two
 * threads. With -DFIXED they are one. No data races.
 *
 * Published for T = 2: 169 executions by maximal causality reduction, 113 by its switch-equivalent form. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef T
#define T 2
#endif
#ifndef N
#define N 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool is_used[T * N];

static int allocate(void) {
  pthread_mutex_lock(&mutex);
  int block = 0;
  while (is_used[block])
    block++;
#ifndef FIXED
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
#endif
  assert(!is_used[block]);
  is_used[block] = true;
  pthread_mutex_unlock(&mutex);
  return block;
}

static void release(int block) {
  pthread_mutex_lock(&mutex);
  assert(is_used[block]);
  is_used[block] = false;
  pthread_mutex_unlock(&mutex);
}

static void *worker(void *argument) {
  int blocks[N];
  for (int i = 0; i < N; i++)
    blocks[i] = allocate();
  for (int i = 0; i < N; i++)
    release(blocks[i]);
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
