/* mcs_lock(T, K): the queue lock of Mellor-Crummey and Scott. Who wants to enter appends a node of its own to
 * the queue, and waits until its predecessor hands the lock over through that node. T threads enter K times
 * each; the counter is plain, so it is a data race if the lock fails. */
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
  struct node *_Atomic next;
  atomic_int waits;
};

static struct node nodes[T];
static struct node *_Atomic tail;
static int counter;

static void lock(struct node *mine) {
  atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&mine->waits, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  if (before == NULL)
    return;
  atomic_store_explicit(&before->next, mine, memory_order_release);
  while (atomic_load_explicit(&mine->waits, memory_order_acquire))
    ;
}

static void unlock(struct node *mine) {
  struct node *after = atomic_load_explicit(&mine->next, memory_order_acquire);
  if (after == NULL) {
    struct node *expected = mine;
    if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_release,
                                                memory_order_relaxed))
      return;
    /* Somebody has appended a node, and is about to say which. */
    while ((after = atomic_load_explicit(&mine->next, memory_order_acquire)) == NULL)
      ;
  }
  atomic_store_explicit(&after->waits, 0, memory_order_release);
}

static void *worker(void *argument) {
  struct node *mine = argument;
  for (int round = 0; round < K; round++) {
    lock(mine);
    counter++;
    unlock(mine);
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
