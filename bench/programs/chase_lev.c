/* chase_lev(T, K): the work-stealing deque of Chase and Lev in C11 (Lê, Pop, Cohen, Zappa Nardelli: Correct and Efficient
 * Work-Stealing for Weak Memory Models; PPoPP 2013), without growing. The owner pushes K items and takes K times; each of
 * T thieves tries to steal once. Nothing is taken twice, and nothing that was not pushed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#define T 2
#endif
#ifndef K
#define K 2
#endif

#define NOTHING 0

static atomic_int top, bottom;
static atomic_int items[K];
static int taken[K], stolen[T];

static void push(int item) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&items[b % K], item, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return NOTHING;
  }
  int item = atomic_load_explicit(&items[b % K], memory_order_relaxed);
  if (t == b) {
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
      item = NOTHING;
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  }
  return item;
}

static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b)
    return NOTHING;
  int item = atomic_load_explicit(&items[t % K], memory_order_relaxed);
  if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
    return NOTHING;
  return item;
}

static void *thief(void *argument) {
  stolen[(long)argument] = steal();
  return NULL;
}

int main(void) {
  pthread_t thieves[T];
  for (long i = 0; i < T; i++)
    pthread_create(&thieves[i], NULL, thief, (void *)i);
  for (int i = 0; i < K; i++)
    push(i + 1);
  for (int i = 0; i < K; i++)
    taken[i] = take();
  for (int i = 0; i < T; i++)
    pthread_join(thieves[i], NULL);
  int count[K + 1] = {0};
  for (int i = 0; i < K; i++)
    count[taken[i]]++;
  for (int i = 0; i < T; i++)
    count[stolen[i]]++;
  for (int item = 1; item <= K; item++)
    assert(count[item] <= 1);
  return 0;
}
