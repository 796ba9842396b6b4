/* spsc_ring(K): a ring with two slots for one producer and one consumer, who pass on K items. The producer
 * waits while the ring is full, the consumer while it is empty. Items are plain, so it is a data race if one
 * is read before it is written, or written over before it is read.
 *
 * For each item but the first, three things may happen: the consumer finds it when it waits for the one
 * before; or it does not, and the producer, when it waits for room for it, finds that one taken, or not. So
 * there are 3^(K-1) executions. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef K
#define K 3
#endif

enum { SLOTS = 2 };

static int slots[SLOTS];
static atomic_int put, taken;

static void *producer(void *argument) {
  for (int item = 0; item < K; item++) {
    while (item - atomic_load_explicit(&taken, memory_order_acquire) == SLOTS)
      ;
    slots[item % SLOTS] = item;
    atomic_store_explicit(&put, item + 1, memory_order_release);
  }
  return argument;
}

static void *consumer(void *argument) {
  for (int item = 0; item < K; item++) {
    while (atomic_load_explicit(&put, memory_order_acquire) == item)
      ;
    assert(slots[item % SLOTS] == item);
    atomic_store_explicit(&taken, item + 1, memory_order_release);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, producer, NULL);
  pthread_create(&threads[1], NULL, consumer, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
