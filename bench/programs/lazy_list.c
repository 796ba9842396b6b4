/* lazy_list(T, K): the sorted list of Heller, Herlihy, Luchangco, Moir, Scherer and Shavit. A thread looks
 * for a place without locks, locks the two nodes there, and checks that they are still in the list and
 * neighbours; a node that is removed is marked first. Thread i adds K values and removes them again, but the
 * last one; its values and those of the next thread stand beside each other. At the end the list has the last
 * value of each thread, in order. */
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
  int value;
  atomic_int taken, removed;
  struct node *_Atomic next;
};

static struct node last = {.value = T * K + 1}, first = {.value = 0, .next = &last};
static struct node nodes[T * K + 1];

static void lock(struct node *node) {
  while (atomic_exchange_explicit(&node->taken, 1, memory_order_acquire))
    ;
}

static void unlock(struct node *node) { atomic_store_explicit(&node->taken, 0, memory_order_release); }

static struct node *next(struct node *node) { return atomic_load_explicit(&node->next, memory_order_acquire); }

static int is_removed(struct node *node) { return atomic_load_explicit(&node->removed, memory_order_relaxed); }

/* Two neighbours, locked: the last node with a smaller value, and the one after it. */
static struct node *find(int value, struct node **after) {
  for (;;) {
    struct node *before = &first;
    while ((*after = next(before))->value < value)
      before = *after;
    lock(before);
    lock(*after);
    if (!is_removed(before) && !is_removed(*after) && next(before) == *after)
      return before;
    unlock(*after);
    unlock(before);
  }
}

static void add(int value) {
  struct node *after, *before = find(value, &after), *node = &nodes[value];
  assert(after->value != value);
  node->value = value;
  atomic_store_explicit(&node->next, after, memory_order_relaxed);
  atomic_store_explicit(&before->next, node, memory_order_release);
  unlock(after);
  unlock(before);
}

static void take_out(int value) {
  struct node *node, *before = find(value, &node);
  assert(node->value == value);
  atomic_store_explicit(&node->removed, 1, memory_order_relaxed);
  atomic_store_explicit(&before->next, next(node), memory_order_release);
  unlock(node);
  unlock(before);
}

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < K; round++) {
    int value = round * T + me + 1;
    add(value);
    if (round < K - 1)
      take_out(value);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  struct node *node = &first;
  for (int i = 1; i <= T; i++) {
    node = next(node);
    assert(node->value == (K - 1) * T + i);
  }
  assert(next(node) == &last);
  return 0;
}
