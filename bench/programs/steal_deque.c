/* steal_deque(T, K): the work-stealing deque of Chase and Lev, with the memory orders of Lê, Pop, Cohen and
 * Zappa Nardelli. The owner pushes K tasks at the bottom, and then takes from there until nothing is left;
 * each of T thieves tries once to steal from the top. Each task is taken exactly once. The buffer has room
 * for all. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef T
#define T 1
#endif
#ifndef K
#define K 2
#endif

enum { NOTHING = -1 };

static atomic_int top, bottom;
static atomic_int tasks[K];
static int done[T + 1][K];

static void push(int task) {
  int at = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&tasks[at], task, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&bottom, at + 1, memory_order_relaxed);
}

static int moves_top(int from) {
  return atomic_compare_exchange_strong_explicit(&top, &from, from + 1, memory_order_seq_cst,
                                                 memory_order_relaxed);
}

static int take(void) {
  int at = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, at, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  int from = atomic_load_explicit(&top, memory_order_relaxed);
  if (from < at)
    return atomic_load_explicit(&tasks[at], memory_order_relaxed);
  int task = NOTHING;
  /* The last one: thieves may want it, too. */
  if (from == at && moves_top(from))
    task = atomic_load_explicit(&tasks[at], memory_order_relaxed);
  atomic_store_explicit(&bottom, at + 1, memory_order_relaxed);
  return task;
}

static int steal(void) {
  int from = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  if (from >= atomic_load_explicit(&bottom, memory_order_acquire))
    return NOTHING;
  int task = atomic_load_explicit(&tasks[from], memory_order_relaxed);
  return moves_top(from) ? task : NOTHING;
}

static void *owner(void *argument) {
  int task;
  for (task = 0; task < K; task++)
    push(task);
  while ((task = take()) != NOTHING)
    done[0][task]++;
  return argument;
}

static void *thief(void *argument) {
  int task = steal();
  if (task != NOTHING)
    done[(long)argument][task]++;
  return NULL;
}

int main(void) {
  pthread_t threads[T + 1];
  for (long i = 0; i <= T; i++)
    pthread_create(&threads[i], NULL, i == 0 ? owner : thief, (void *)i);
  for (int i = 0; i <= T; i++)
    pthread_join(threads[i], NULL);
  for (int task = 0; task < K; task++) {
    int times = 0;
    for (int i = 0; i <= T; i++)
      times += done[i][task];
    assert(times == 1);
  }
  return 0;
}
