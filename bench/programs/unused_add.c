/* unused_add(T, K): each of T threads adds to a counter K times, and does not use what was there before.
 *
 * (TK)! / K!^T orders of the additions. As nobody looks at the values between them, one execution stands for
 * all of them. */
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

static atomic_int counter;

static void *worker(void *argument) {
  for (int round = 0; round < K; round++)
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
  return argument;
}

int main(void) {
  pthread_t threads[T];
  for (int i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  assert(atomic_load_explicit(&counter, memory_order_relaxed) == T * K);
  return 0;
}
