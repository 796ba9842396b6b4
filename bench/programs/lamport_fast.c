/* lamport_fast(T, R): Lamport's fast mutual exclusion: without competition a thread enters after looking at
 * two variables. T threads enter R times each. A thread starts again only after somebody has left, so
 * executions are finite. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef T
#define T 2
#endif
#ifndef R
#define R 1
#endif

static atomic_int x, y; /* numbers of threads from 1; y is 0 if the way is free */
static atomic_int busy[T + 1];
static atomic_int inside;

static void critical_section(int me) {
  atomic_store(&inside, me);
  assert(atomic_load(&inside) == me);
}

static void lock(int me) {
  for (;;) {
    atomic_store(&busy[me], 1);
    atomic_store(&x, me);
    if (atomic_load(&y) == 0) {
      atomic_store(&y, me);
      if (atomic_load(&x) == me)
        return;
      atomic_store(&busy[me], 0);
      for (int other = 1; other <= T; other++) {
        while (atomic_load(&busy[other]))
          ;
      }
      if (atomic_load(&y) == me)
        return;
    } else {
      atomic_store(&busy[me], 0);
    }
    while (atomic_load(&y) != 0)
      ;
  }
}

static void unlock(int me) {
  atomic_store(&y, 0);
  atomic_store(&busy[me], 0);
}

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < R; round++) {
    lock(me);
    critical_section(me);
    unlock(me);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, worker, (void *)(i + 1));
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
