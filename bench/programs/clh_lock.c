/* clh_lock(T, K): the queue lock of Craig, Landin and Hagersten. Who wants to enter puts a node at the end of
 * the queue, and waits until the node before it is free; that one it uses the next time. T threads enter K
 * times each; the counter is plain, so it is a data race if the lock fails. */
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

struct node {
  atomic_int taken;
};

/* The last one is free from the beginning. */
static struct node nodes[T + 1];
static struct node *_Atomic tail = &nodes[T];
static int counter;

static struct node *lock(struct node *mine) {
  atomic_store_explicit(&mine->taken, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  while (atomic_load_explicit(&before->taken, memory_order_acquire))
    ;
  return before;
}

static void unlock(struct node *mine) { atomic_store_explicit(&mine->taken, 0, memory_order_release); }

static void *worker(void *argument) {
  struct node *mine = argument;
  for (int round = 0; round < K; round++) {
    struct node *before = lock(mine);
    counter++;
    unlock(mine);
    mine = before;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (int i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, worker, &nodes[i]);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  assert(counter == T * K);
  return 0;
}
