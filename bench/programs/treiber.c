/* treiber(PUSHERS, POPPERS): Treiber's stack. Each of PUSHERS threads pushes one node, each of POPPERS
 * threads pops one or finds the stack empty. Nodes are never used again, so there is no ABA problem. What
 * was popped was pushed, and nothing is popped twice. 34,968 classes of executions for three and two. MO is
 * the order of loads and stores; relaxed will do under TSO and PSO, too, because of the compare-exchange. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef PUSHERS
#define PUSHERS 3
#endif
#ifndef POPPERS
#define POPPERS 2
#endif
#ifndef MO
#define MO memory_order_seq_cst
#endif

#define LOAD(variable) atomic_load_explicit(&(variable), MO)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, MO)

struct node {
  int value;
  struct node *_Atomic next;
};

static struct node nodes[PUSHERS];
static struct node *_Atomic top;
static int popped[POPPERS];

static void push(struct node *node) {
  struct node *seen;
  do {
    seen = LOAD(top);
    STORE(node->next, seen);
  } while (!atomic_compare_exchange_strong(&top, &seen, node));
}

static struct node *pop(void) {
  struct node *seen, *next;
  do {
    seen = LOAD(top);
    if (seen == NULL)
      return NULL;
    next = LOAD(seen->next);
  } while (!atomic_compare_exchange_strong(&top, &seen, next));
  return seen;
}

static void *pusher(void *argument) {
  long number = (long)argument;
  nodes[number].value = (int)number + 1;
  push(&nodes[number]);
  return NULL;
}

static void *popper(void *argument) {
  long number = (long)argument;
  struct node *node = pop();
  popped[number] = node != NULL ? node->value : 0;
  return NULL;
}

int main(void) {
  pthread_t threads[PUSHERS + POPPERS];
  for (long i = 0; i < PUSHERS; i++)
    pthread_create(&threads[i], NULL, pusher, (void *)i);
  for (long i = 0; i < POPPERS; i++)
    pthread_create(&threads[PUSHERS + i], NULL, popper, (void *)i);
  for (int i = 0; i < PUSHERS + POPPERS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < POPPERS; i++) {
    assert(popped[i] >= 0 && popped[i] <= PUSHERS);
    for (int j = 0; j < i; j++)
      assert(popped[i] == 0 || popped[i] != popped[j]);
  }
  return 0;
}
