/* burns(T, R): the algorithm of Burns and Lynch, with one bit for each of T threads; each enters R times.
 * Before and after it announces itself, a thread gives way to all those with smaller numbers; then it waits
 * for those with larger ones. It starts again only if a smaller one came in between, so executions are
 * finite.
 *
 * With -DMO=memory_order_relaxed it fails under TSO and PSO: threads may look before they can be seen. With
 * -DFENCES as well it is right under both. Bits that are taken back late only make others wait longer.
 *
 * With -DN=n nobody waits: a thread that has tried n times in vain to get past those with smaller numbers, or
 * has looked n times in vain at one with a larger number, gives up; and it announces itself without looking
 * first. For T = 2 and R = 1, (N + 1)^2 views: each of the two fails any number of times from 0 to N, whatever
 * the other does. */
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

static atomic_int wants[T];
static atomic_int inside;

/* Always seq_cst: the store is in memory before the load, and not only in a buffer. */
static void critical_section(int me) {
  atomic_store(&inside, me);
  assert(atomic_load(&inside) == me);
}

static int smaller_wants(int me) {
  for (int other = 0; other < me; other++) {
    if (LOAD(wants[other]))
      return 1;
  }
  return 0;
}

#ifdef N
static int passes_smaller(int me) {
  for (int tries = 0; tries < N; tries++) {
    STORE(wants[me], 1);
    FENCE();
    if (!smaller_wants(me))
      return 1;
    STORE(wants[me], 0);
  }
  return 0;
}

static int larger_is_out(int other) {
  for (int looks = 0; looks < N; looks++) {
    if (!LOAD(wants[other]))
      return 1;
  }
  return 0;
}

static int larger_are_out(int me) {
  for (int other = me + 1; other < T; other++) {
    if (!larger_is_out(other))
      return 0;
  }
  return 1;
}

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < R; round++) {
    if (!passes_smaller(me))
      return NULL;
    if (larger_are_out(me))
      critical_section(me);
    STORE(wants[me], 0);
  }
  return NULL;
}
#else
static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < R; round++) {
    for (;;) {
      while (smaller_wants(me))
        ;
      STORE(wants[me], 1);
      FENCE();
      if (!smaller_wants(me))
        break;
      STORE(wants[me], 0);
    }
    for (int other = me + 1; other < T; other++) {
      while (LOAD(wants[other]))
        ;
    }
    critical_section(me);
    STORE(wants[me], 0);
  }
  return NULL;
}
#endif

int main(void) {
  pthread_t threads[T];
  for (long i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
