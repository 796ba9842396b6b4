/* dekker(R): Dekker's algorithm; two threads enter R times each. A thread that finds the other interested,
 * and it not being its turn, steps back until it is. The loop is more than waiting, but each round of it
 * needs the other thread to have left in between, so executions are finite.
 *
 * With -DMO=memory_order_relaxed it fails under TSO and PSO: both may look before they can be seen. With
 * -DFENCES as well it is right under both: who wants to enter is seen before it looks. The fence after the
 * turn is for PSO, and for R = 2: a turn that gets to memory after its thread was seen to have left may
 * overwrite the next one, and in the end both wait. */
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

static void *worker(void *argument) {
  int me = (int)(long)argument, other = 1 - me;
  for (int round = 0; round < R; round++) {
    STORE(wants[me], 1);
    FENCE();
    while (LOAD(wants[other])) {
      if (LOAD(turn) != me) {
        STORE(wants[me], 0);
        while (LOAD(turn) != me)
          ;
        STORE(wants[me], 1);
        FENCE();
      }
    }
    critical_section(me);
    STORE(turn, other);
    FENCE();
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
