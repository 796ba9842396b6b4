/* cas_increment(T, K): each of T threads increments a counter K times by compare-exchange: it loads the
 * value, and tries again with the value that was there instead until it succeeds. With -DWEAK the exchange
 * may also fail although the value is the expected one.
 *
 * An order of the increments that succeed determines all that matters: (TK)! / K!^T of them. What failed
 * attempts have read makes more executions of each of these, unless a tool passes over attempts that fail. */
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
#ifdef WEAK
#define COMPARE_EXCHANGE atomic_compare_exchange_weak_explicit
#else
#define COMPARE_EXCHANGE atomic_compare_exchange_strong_explicit
#endif

static atomic_int counter;

static void increment(void) {
  int seen = atomic_load_explicit(&counter, memory_order_relaxed);
  while (!COMPARE_EXCHANGE(&counter, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed))
    ;
}

static void *worker(void *argument) {
  for (int round = 0; round < K; round++)
    increment();
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
