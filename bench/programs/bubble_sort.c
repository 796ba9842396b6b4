/* bubble_sort(T, N): N numbers, the largest first. T threads go through them once each, and exchange
 * neighbours that are in the wrong order. Nothing keeps two of them from exchanging the same ones at the same
 * time, and then numbers get lost. With -DFIXED each cell has a mutex, and who compares two cells and exchanges
 * what is in them holds both.
 *
 * 7 pairs of lines with a data race: of the two lines that read cells and the two that write them, all but two
 * that read. With -DATOMIC cells are atomic.
 *
 * Published for T = 3 and N = 5: 29,148 executions by maximal causality reduction, 8,084 by its
 * switch-equivalent form; 7 races. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef T
#define T 2
#endif
#ifndef N
#define N 3
#endif
#ifdef ATOMIC
typedef atomic_int shared_int;
#else
typedef int shared_int;
#endif

static shared_int cells[N];

#ifdef FIXED
static pthread_mutex_t mutexes[N];
#define LOCK(cell) pthread_mutex_lock(&mutexes[cell])
#define UNLOCK(cell) pthread_mutex_unlock(&mutexes[cell])
#else
#define LOCK(cell) ((void)0)
#define UNLOCK(cell) ((void)0)
#endif

static void *sorter(void *argument) {
  for (int i = 0; i + 1 < N; i++) {
    LOCK(i);
    LOCK(i + 1);
    int left = cells[i];
    int right = cells[i + 1];
    if (left > right) {
      cells[i] = right;
      cells[i + 1] = left;
    }
    UNLOCK(i + 1);
    UNLOCK(i);
  }
  return argument;
}

int main(void) {
  pthread_t threads[T];
  for (int i = 0; i < N; i++) {
#ifdef FIXED
    pthread_mutex_init(&mutexes[i], NULL);
#endif
    cells[i] = N - i;
  }
  for (int i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, sorter, NULL);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  int sum = 0;
  for (int i = 0; i < N; i++)
    sum += cells[i];
  assert(sum == N * (N + 1) / 2);
  return 0;
}
