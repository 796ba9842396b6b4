/* nondet_array(T, S): T threads fill an array of S places. Each loads where the next free place is, stores
 * its number there, and stores that the next place is the one after that; so several may take the same.
 *
 * For S >= T the views are the weak orders of T threads (1, 3, 13, 75, 541, 4683, 47293, ...): those that take
 * the same place are equals, and each place was taken before the one after it. With fewer places the index
 * starts again at 0. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef T
#define T 3
#endif
#ifndef S
#define S T
#endif

static atomic_int next, array[S];

static void *worker(void *argument) {
  int place = atomic_load(&next);
  assert(0 <= place && place < S);
  atomic_store(&array[place], (int)(long)argument);
  atomic_store(&next, (place + 1) % S);
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, worker, (void *)(i + 1));
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
