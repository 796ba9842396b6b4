/* bakery(T, R): Lamport's bakery: who wants to enter draws a number larger than all others, and waits for
 * those with smaller ones. T threads enter R times each. */
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

static atomic_int drawing[T], number[T];
static atomic_int inside;

static void critical_section(int me) {
  atomic_store(&inside, me);
  assert(atomic_load(&inside) == me);
}

static int is_before(int other, int me, int mine) {
  int theirs = atomic_load(&number[other]);
  return theirs != 0 && (theirs < mine || (theirs == mine && other < me));
}

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < R; round++) {
    int mine = 0;
    atomic_store(&drawing[me], 1);
    for (int other = 0; other < T; other++) {
      int theirs = other != me ? atomic_load(&number[other]) : 0;
      if (theirs > mine)
        mine = theirs;
    }
    mine++;
    atomic_store(&number[me], mine);
    atomic_store(&drawing[me], 0);
    for (int other = 0; other < T; other++) {
      if (other == me)
        continue;
      while (atomic_load(&drawing[other]))
        ;
      while (is_before(other, me, mine))
        ;
    }
    critical_section(me);
    atomic_store(&number[me], 0);
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
