/* peterson(T, R): Peterson's algorithm for T threads (the filter): T - 1 levels, and at each of them the one
 * who came last waits while anybody else is as far. With two threads it is the algorithm of the textbooks.
 * Each thread enters R times. */
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

static atomic_int level[T]; /* how far each thread is, 0 if it does not want to enter */
static atomic_int last[T];  /* who came last to each level */
static atomic_int inside;

static void critical_section(int me) {
  atomic_store(&inside, me);
  assert(atomic_load(&inside) == me);
}

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < R; round++) {
    for (int l = 1; l < T; l++) {
      atomic_store(&level[me], l);
      atomic_store(&last[l], me);
      for (int other = 0; other < T; other++) {
        if (other == me)
          continue;
        while (atomic_load(&level[other]) >= l && atomic_load(&last[l]) == me)
          ;
      }
    }
    critical_section(me);
    atomic_store(&level[me], 0);
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
