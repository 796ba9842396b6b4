/* burns(T, R): the algorithm of Burns and Lynch, with one bit for each of T threads; each enters R times.
 * Before and after it announces itself, a thread gives way to all those with smaller numbers; then it waits
 * for those with larger ones. It starts again only if a smaller one came in between, so executions are
 * finite. */
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

static atomic_int wants[T];
static atomic_int inside;

static void critical_section(int me) {
  atomic_store(&inside, me);
  assert(atomic_load(&inside) == me);
}

static int smaller_wants(int me) {
  for (int other = 0; other < me; other++) {
    if (atomic_load(&wants[other]))
      return 1;
  }
  return 0;
}

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < R; round++) {
    for (;;) {
      while (smaller_wants(me))
        ;
      atomic_store(&wants[me], 1);
      if (!smaller_wants(me))
        break;
      atomic_store(&wants[me], 0);
    }
    for (int other = me + 1; other < T; other++) {
      while (atomic_load(&wants[other]))
        ;
    }
    critical_section(me);
    atomic_store(&wants[me], 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
