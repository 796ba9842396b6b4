/* seqlock_retry(T, K): a sequence lock with the memory orders and fences that it needs. One writer changes
 * two variables K times; the number is odd meanwhile. T readers read both, and start again if the number was
 * odd or has changed since they began. What a reader sees belongs together. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef T
#define T 1
#endif
#ifndef K
#define K 1
#endif

static atomic_int sequence;
static atomic_int a, b;

static void *writer(void *argument) {
  for (int round = 1; round <= K; round++) {
    atomic_store_explicit(&sequence, 2 * round - 1, memory_order_relaxed);
    /* Who sees one of the following stores, and then has an acquire fence, sees the odd number. */
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&a, round, memory_order_relaxed);
    atomic_store_explicit(&b, round, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2 * round, memory_order_release);
  }
  return argument;
}

static void *reader(void *argument) {
  int begin, one, other, end;
  do {
    begin = atomic_load_explicit(&sequence, memory_order_acquire);
    one = atomic_load_explicit(&a, memory_order_relaxed);
    other = atomic_load_explicit(&b, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    end = atomic_load_explicit(&sequence, memory_order_relaxed);
  } while (begin % 2 != 0 || begin != end);
  assert(one == other && one == begin / 2);
  return argument;
}

int main(void) {
  pthread_t threads[T + 1];
  for (int i = 0; i <= T; i++)
    pthread_create(&threads[i], NULL, i == 0 ? writer : reader, NULL);
  for (int i = 0; i <= T; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
