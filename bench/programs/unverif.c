/* unverif(T, L): T threads take a ticket each from one counter, then one from another; before each of them a
 * thread stores L times to a variable of its own, and loads it again. (T!)^2 views for any L: all orders at
 * both counters. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef T
#define T 2
#endif
#ifndef L
#define L 1
#endif

static atomic_int first, second;
static atomic_int own[T];

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int i = 1; i <= L; i++) {
    atomic_store(&own[me], i);
    assert(atomic_load(&own[me]) == i);
  }
  atomic_fetch_add(&first, 1);
  for (int i = 1; i <= L; i++) {
    atomic_store(&own[me], -i);
    assert(atomic_load(&own[me]) == -i);
  }
  atomic_fetch_add(&second, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
