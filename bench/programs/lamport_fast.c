/* lamport_fast(T, R): Lamport's fast mutual exclusion: without competition a thread enters after looking at
 * two variables. T threads enter R times each. A thread starts again only after somebody has left, so
 * executions are finite.
 *
 * With -DMO=memory_order_relaxed it fails under TSO and PSO: all announcements may still be in buffers when a
 * thread looks at y and x, and x it then reads from its own. With -DFENCES as well it is right under both.
 * TSO needs the two fences in lock() only. The one in unlock() is for PSO: if the others saw a thread no
 * longer busy before y is 0, one of them could enter, and the 0 would let in another.
 *
 * With -DLOOKS=n a thread that has looked n times in vain at one place leaves, and ends: nothing depends on
 * how a tool treats waiting loops. The way may then stay closed. For LOOKS = 10: 287 views, 356 classes of
 * executions. Published for loops that are bounded by 10, in another language: 1,192 executions by maximal causality
 * reduction, 103 by its switch-equivalent form, 132,034 by optimal partial-order reduction. */
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

static atomic_int x, y; /* numbers of threads from 1; y is 0 if the way is free */
static atomic_int busy[T + 1];
static atomic_int inside;

/* Always seq_cst: the store is in memory before the load, and not only in a buffer. */
static void critical_section(int me) {
  atomic_store(&inside, me);
  assert(atomic_load(&inside) == me);
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
static int lock(int me) {
  for (;;) {
    STORE(busy[me], 1);
    STORE(x, me);
    FENCE();
    if (LOAD(y) == 0) {
      STORE(y, me);
      FENCE();
      if (LOAD(x) == me)
        return 1;
      STORE(busy[me], 0);
      for (int other = 1; other <= T; other++) {
        WAIT_WHILE(LOAD(busy[other]));
      }
      if (LOAD(y) == me)
        return 1;
    } else {
      STORE(busy[me], 0);
    }
    WAIT_WHILE(LOAD(y) != 0);
  }
}

static void unlock(int me) {
  STORE(y, 0);
  FENCE();
  STORE(busy[me], 0);
}

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < R && lock(me); round++) {
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
