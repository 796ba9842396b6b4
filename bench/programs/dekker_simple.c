/* dekker_simple(N): the entry of Dekker's algorithm without turns: each of two threads announces itself, looks
 * whether the other has, and enters if not. It tries N times, and nobody takes its announcement back.
 *
 * 2 * N + 1 views: a thread sees 0 so many times and then 1 to the end, but if one has seen 0, the other
 * never does. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif

static atomic_int wants[2];
static atomic_int inside;

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int tries = 0; tries < N; tries++) {
    atomic_store(&wants[me], 1);
    if (!atomic_load(&wants[1 - me])) {
      atomic_store(&inside, me);
      assert(atomic_load(&inside) == me);
    }
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
