/* bakery(T, R): Lamport's bakery: who wants to enter draws a number larger than all others, and waits for
 * those with smaller ones. T threads enter R times each.
 *
 * With -DMO=memory_order_relaxed it fails under TSO and PSO: nobody sees that others are drawing, nor their
 * numbers, while these are in buffers. With -DFENCES as well it is right under both: the number is in memory
 * before its thread is seen to have drawn it, and before it looks at others.
 *
 * With -DLOOKS=n a thread that has looked n times in vain at one place leaves, and ends: nothing depends on
 * how a tool treats waiting loops. For LOOKS = 10: 744 views, 773 classes of executions. Published for loops that
 * are bounded by 10, in another language: 822 executions by maximal causality reduction, 766 by its
 * switch-equivalent form, 3,137 by optimal partial-order reduction. */
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
#ifndef MO
#define MO memory_order_seq_cst
#endif
#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

#define LOAD(variable) atomic_load_explicit(&(variable), MO)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, MO)

static atomic_int drawing[T], number[T];
static atomic_int inside;

/* Always seq_cst: the store is in memory before the load, and not only in a buffer. */
static void critical_section(int me) {
  atomic_store(&inside, me);
  assert(atomic_load(&inside) == me);
}

static int is_before(int other, int me, int mine) {
  int theirs = LOAD(number[other]);
  return theirs != 0 && (theirs < mine || (theirs == mine && other < me));
}

#ifdef LOOKS
#define WAIT_WHILE(condition)                                                                                  \
  for (int looks = 0; condition;)                                                                              \
    if (++looks == LOOKS)                                                                                      \
      return 0
#else
#define WAIT_WHILE(condition) while (condition)
#endif

/* The answer is whether it did not give up. */
static int goes_through(int me) {
  int mine = 0;
  STORE(drawing[me], 1);
  FENCE();
  for (int other = 0; other < T; other++) {
    int theirs = other != me ? LOAD(number[other]) : 0;
    if (theirs > mine)
      mine = theirs;
  }
  mine++;
  STORE(number[me], mine);
  FENCE();
  STORE(drawing[me], 0);
  for (int other = 0; other < T; other++) {
    if (other == me)
      continue;
    WAIT_WHILE(LOAD(drawing[other]));
    WAIT_WHILE(is_before(other, me, mine));
  }
  critical_section(me);
  return 1;
}

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0, going = 1; going && round < R; round++) {
    going = goes_through(me);
    STORE(number[me], 0);
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
