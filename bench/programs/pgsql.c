/* pgsql(N, T): a token goes through T threads, like the latches of PostgreSQL: each waits for its own, takes
 * it back and sets the next thread's. But it looks only N times, and if that was in vain, it ends.
 *
 * 1 + N + N^2 + ... + N^(T-1) views: the token comes to some thread, and each one after the first has looked
 * any number of times from 1 to N until then; those after that thread see nothing. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif
#ifndef T
#define T 3
#endif

static atomic_int latch[T];

static int waits_in_vain(int me) {
  for (int looks = 0; looks < N; looks++) {
    if (atomic_load(&latch[me]))
      return 0;
  }
  return 1;
}

static void *worker(void *argument) {
  int me = (int)(long)argument;
  if (waits_in_vain(me))
    return NULL;
  atomic_store(&latch[me], 0);
  if (me + 1 < T)
    atomic_store(&latch[me + 1], 1);
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  atomic_store(&latch[0], 1);
  for (long i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
