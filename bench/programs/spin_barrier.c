/* spin_barrier(T, K): a barrier that can be used again. Who arrives counts; the last one sets the count back
 * and begins a new generation, for which the others wait. T threads go through K rounds and cross it twice in
 * each: when all have announced the round, and when all have looked at what the others have announced. That
 * is plain, so it is a data race if the barrier fails.
 *
 * An execution is an order of arrivals for each crossing: T!^(2K) of them. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef T
#define T 2
#endif
#ifndef K
#define K 1
#endif

static atomic_int arrived, generation;
static int announced[T];

/* Each thread counts for itself how often it has crossed. */
static void cross(int *crossed) {
  int before = (*crossed)++;
  if (atomic_fetch_add_explicit(&arrived, 1, memory_order_acq_rel) == T - 1) {
    atomic_store_explicit(&arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&generation, before + 1, memory_order_release);
  } else {
    while (atomic_load_explicit(&generation, memory_order_acquire) == before)
      ;
  }
}

static void *worker(void *argument) {
  long me = (long)argument;
  int crossed = 0;
  for (int round = 1; round <= K; round++) {
    announced[me] = round;
    cross(&crossed);
    for (int other = 0; other < T; other++)
      assert(announced[other] == round);
    cross(&crossed);
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
