/* ticket_lock(T, K): a ticket lock. Who wants to enter takes the next number, and waits until that number is
 * served. T threads enter K times each; the counter is plain, so it is a data race if the lock fails.
 *
 * An execution is an order in which the tickets are taken: (TK)! / K!^T of them. */
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

static atomic_int next, serving;
static int counter;

static int lock(void) {
  int ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&serving, memory_order_acquire) != ticket)
    ;
  return ticket;
}

static void unlock(int ticket) { atomic_store_explicit(&serving, ticket + 1, memory_order_release); }

static void *worker(void *argument) {
  for (int round = 0; round < K; round++) {
    int ticket = lock();
    counter++;
    unlock(ticket);
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
