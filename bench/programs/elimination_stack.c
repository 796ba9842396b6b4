/* elimination_stack(T, POPPERS): the stack of Hendler, Shavit and Yerushalmi, with one place to meet. Each of
 * T threads pushes one value, each of POPPERS threads pops one or finds the stack empty. Who fails to change
 * the top because of another thread goes to the meeting place once: a pusher offers its node there, a popper
 * takes an offer if there is one; a pusher whose offer was not taken withdraws it and tries the stack again.
 * What was popped was pushed, and nothing is popped twice or left out: at the end the stack has what was
 * pushed and not popped. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef T
#define T 1
#endif
#ifndef POPPERS
#define POPPERS 1
#endif

struct node {
  int value;
  struct node *next;
};

static struct node nodes[T];
static struct node *_Atomic top, *_Atomic offered;
static int popped[POPPERS];

static int changes(struct node *_Atomic *place, struct node *from, struct node *to) {
  return atomic_compare_exchange_strong_explicit(place, &from, to, memory_order_acq_rel, memory_order_relaxed);
}

/* Whether a popper has taken the node. */
static int meets_popper(struct node *node) {
  return changes(&offered, NULL, node) && !changes(&offered, node, NULL);
}

/* A node that a pusher has offered, or null. */
static struct node *meets_pusher(void) {
  struct node *node = atomic_load_explicit(&offered, memory_order_acquire);
  return node != NULL && changes(&offered, node, NULL) ? node : NULL;
}

static void push(struct node *node) {
  for (;;) {
    node->next = atomic_load_explicit(&top, memory_order_relaxed);
    if (changes(&top, node->next, node) || meets_popper(node))
      return;
  }
}

static struct node *pop(void) {
  for (;;) {
    struct node *node = atomic_load_explicit(&top, memory_order_acquire);
    if (node == NULL || changes(&top, node, node->next))
      return node;
    if ((node = meets_pusher()) != NULL)
      return node;
  }
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
  pthread_t threads[T + POPPERS];
  for (long i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, pusher, (void *)i);
  for (long i = 0; i < POPPERS; i++)
    pthread_create(&threads[T + i], NULL, popper, (void *)i);
  for (int i = 0; i < T + POPPERS; i++)
    pthread_join(threads[i], NULL);
  int times[T + 1] = {0};
  for (int i = 0; i < POPPERS; i++)
    times[popped[i]]++;
  for (struct node *node = top; node != NULL; node = node->next)
    times[node->value]++;
  for (int value = 1; value <= T; value++)
    assert(times[value] == 1);
  return 0;
}
