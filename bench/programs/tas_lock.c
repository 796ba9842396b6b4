/* tas_lock(T, K): a lock by test-and-set. Who wants to enter exchanges until the lock was free. T threads
 * enter K times each; the counter is plain, so it is a data race if the lock fails.
 *
 * An execution is an order in which the lock is taken: (TK)! / K!^T of them. */
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

static atomic_int taken;
static int counter;

static void lock(void) {
  while (atomic_exchange_explicit(&taken, 1, memory_order_acquire))
    ;
}

static void unlock(void) { atomic_store_explicit(&taken, 0, memory_order_release); }

static void *worker(void *argument) {
  for (int round = 0; round < K; round++) {
    lock();
    counter++;
    unlock();
  }
  return argument;
}

int main(void) {
  pthread_t threads[T];
  for (int i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  assert(counter == T * K);
  return 0;
}
