/* sb_ring(T, K): a ring of store buffering. In each of K rounds, thread i stores x[i], a sequentially consistent fence, and
 * reads x[i + 1 mod T]; loads and stores are relaxed. With the fences, not all threads can read what was there at the beginning. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#define T 3
#endif
#ifndef K
#define K 2
#endif

static atomic_int x[T];
static int seen[T];

static void *thread(void *argument) {
  long number = (long)argument;
  for (int round = 1; round <= K; round++) {
    atomic_store_explicit(&x[number], round, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int value = atomic_load_explicit(&x[(number + 1) % T], memory_order_relaxed);
    if (round == 1)
      seen[number] = value;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, thread, (void *)i);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  int some = 0;
  for (int i = 0; i < T; i++)
    some |= seen[i];
  assert(some);
  return 0;
}
