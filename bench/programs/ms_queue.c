/* ms_queue(ENQUEUERS, DEQUEUERS): the queue of Michael and Scott. Each of ENQUEUERS threads appends one
 * node, each of DEQUEUERS threads takes the first one or finds the queue empty. Nodes are never used again.
 * What was taken was appended, and nothing is taken twice. 11,198 classes of executions for two and two.
 *
 * MO is the order of loads; acquire is enough under all models. With relaxed loads it is a data race to read
 * the value of a node, even under SC. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef ENQUEUERS
#define ENQUEUERS 2
#endif
#ifndef DEQUEUERS
#define DEQUEUERS 2
#endif
#ifndef MO
#define MO memory_order_seq_cst
#endif

#define LOAD(variable) atomic_load_explicit(&(variable), MO)

struct node {
  int value;
  struct node *_Atomic next;
};

static struct node nodes[ENQUEUERS + 1]; /* the last one is the node before the first at the beginning */
static struct node *_Atomic head = &nodes[ENQUEUERS], *_Atomic tail = &nodes[ENQUEUERS];
static int taken[DEQUEUERS];

static void enqueue(struct node *node) {
  for (;;) {
    struct node *last = LOAD(tail);
    struct node *next = LOAD(last->next);
    if (last != LOAD(tail))
      continue;
    if (next != NULL) {
      /* Somebody has not yet moved the tail on. */
      atomic_compare_exchange_strong(&tail, &last, next);
    } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
      atomic_compare_exchange_strong(&tail, &last, node);
      return;
    }
  }
}

static int dequeue(void) {
  for (;;) {
    struct node *first = LOAD(head);
    struct node *last = LOAD(tail);
    struct node *next = LOAD(first->next);
    if (first != LOAD(head))
      continue;
    if (first != last) {
      int value = next->value;
      if (atomic_compare_exchange_strong(&head, &first, next))
        return value;
    } else if (next == NULL) {
      return 0;
    } else {
      atomic_compare_exchange_strong(&tail, &last, next);
    }
  }
}

static void *enqueuer(void *argument) {
  long number = (long)argument;
  nodes[number].value = (int)number + 1;
  enqueue(&nodes[number]);
  return NULL;
}

static void *dequeuer(void *argument) {
  taken[(long)argument] = dequeue();
  return NULL;
}

int main(void) {
  pthread_t threads[ENQUEUERS + DEQUEUERS];
  for (long i = 0; i < ENQUEUERS; i++)
    pthread_create(&threads[i], NULL, enqueuer, (void *)i);
  for (long i = 0; i < DEQUEUERS; i++)
    pthread_create(&threads[ENQUEUERS + i], NULL, dequeuer, (void *)i);
  for (int i = 0; i < ENQUEUERS + DEQUEUERS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < DEQUEUERS; i++) {
    assert(taken[i] >= 0 && taken[i] <= ENQUEUERS);
    for (int j = 0; j < i; j++)
      assert(taken[i] == 0 || taken[i] != taken[j]);
  }
  return 0;
}
