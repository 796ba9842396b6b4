/* peterson(T, R): Peterson's algorithm for T threads (the filter): T - 1 levels, and at each of them the one
 * who came last waits while anybody else is as far. With two threads it is the algorithm of the textbooks.
 * Each thread enters R times.
 *
 * With -DMO=memory_order_relaxed it fails under TSO and PSO: both announcements are still in buffers when a
 * thread looks at the others. With -DFENCES as well it is right under both. TSO needs the second fence only;
 * the first keeps the level before the place in the queue under PSO.
 *
 * With -DLOOKS=n a thread that has looked n times in vain leaves, and ends: nothing depends on how a tool
 * treats waiting loops. For LOOKS = 10: 260 views, 284 classes of executions. Published for loops that are bounded
 * by 10, in another language: 402 executions by maximal causality reduction and by its switch-equivalent form,
 * 780 by optimal partial-order reduction. */
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

static atomic_int level[T]; /* how far each thread is, 0 if it does not want to enter */
static atomic_int last[T];  /* who came last to each level */
static atomic_int inside;

/* Always seq_cst: the store is in memory before the load, and not only in a buffer. */
static void critical_section(int me) {
  atomic_store(&inside, me);
  assert(atomic_load(&inside) == me);
}

/* Waits while another thread is as far, and nobody came later. The answer is whether it gave up. */
static int waits_in_vain(int me, int other, int l) {
#ifdef LOOKS
  for (int looks = 0; LOAD(level[other]) >= l && LOAD(last[l]) == me;) {
    if (++looks == LOOKS)
      return 1;
  }
#else
  while (LOAD(level[other]) >= l && LOAD(last[l]) == me)
    ;
#endif
  return 0;
}

static int goes_through(int me) {
  for (int l = 1; l < T; l++) {
    STORE(level[me], l);
    FENCE();
    STORE(last[l], me);
    FENCE();
    for (int other = 0; other < T; other++) {
      if (other != me && waits_in_vain(me, other, l))
        return 0;
    }
  }
  critical_section(me);
  return 1;
}

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0, going = 1; going && round < R; round++) {
    going = goes_through(me);
    STORE(level[me], 0);
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
