/* dekker(R): Dekker's algorithm; two threads enter R times each. A thread that finds the other interested,
 * and it not being its turn, steps back until it is. The loop is more than waiting, but each round of it
 * needs the other thread to have left in between, so executions are finite.
 *
 * With -DMO=memory_order_relaxed it fails under TSO and PSO: both may look before they can be seen. With
 * -DFENCES as well it is right under both: who wants to enter is seen before it looks. The fence after the
 * turn is for PSO, and for R = 2: a turn that gets to memory after its thread was seen to have left may
 * overwrite the next one, and in the end both wait.
 *
 * With -DLOOKS=n a thread that has looked n times in vain at one place leaves, and ends: nothing depends on
 * how a tool treats waiting loops. For LOOKS = 4: 94 views, 131 classes of executions. Published for loops that
 * are bounded by 4, in another language: 4,474 executions by maximal causality reduction, 1,648 by its
 * switch-equivalent form, 34,931 by optimal partial-order reduction. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

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

static atomic_int wants[2], turn;
static atomic_int inside;

/* Always seq_cst: the store is in memory before the load, and not only in a buffer. */
static void critical_section(int me) {
  atomic_store(&inside, me);
  assert(atomic_load(&inside) == me);
}

#ifdef LOOKS
#define GIVES_UP(looks) (++(looks) == LOOKS)
#else
#define GIVES_UP(looks) ((void)(looks), 0)
#endif

static int goes_through(int me) {
  int other = 1 - me, looks = 0;
  STORE(wants[me], 1);
  FENCE();
  while (LOAD(wants[other])) {
    if (LOAD(turn) != me) {
      STORE(wants[me], 0);
      for (int looks_back = 0; LOAD(turn) != me;) {
        if (GIVES_UP(looks_back))
          return 0;
      }
      STORE(wants[me], 1);
      FENCE();
    } else if (GIVES_UP(looks)) {
      return 0;
    }
  }
  critical_section(me);
  STORE(turn, other);
  FENCE();
  return 1;
}

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0, going = 1; going && round < R; round++) {
    going = goes_through(me);
    STORE(wants[me], 0);
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
