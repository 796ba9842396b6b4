/* dekker(R): Dekker's algorithm; two threads enter R times each. A thread that finds the other interested,
 * and it not being its turn, steps back until it is. The loop is more than waiting, but each round of it
 * needs the other thread to have left in between, so executions are finite. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef R
#define R 1
#endif

static atomic_int wants[2], turn;
static atomic_int inside;

static void critical_section(int me) {
  atomic_store(&inside, me);
  assert(atomic_load(&inside) == me);
}

static void *worker(void *argument) {
  int me = (int)(long)argument, other = 1 - me;
  for (int round = 0; round < R; round++) {
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[other])) {
      if (atomic_load(&turn) != me) {
        atomic_store(&wants[me], 0);
        while (atomic_load(&turn) != me)
          ;
        atomic_store(&wants[me], 1);
      }
    }
    critical_section(me);
    atomic_store(&turn, other);
    atomic_store(&wants[me], 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
