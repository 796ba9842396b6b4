/* swsc_co1(N): N threads and one variable. All but one store numbers of their own to it, twice each; the last
 * one loads it three times.
 *
 * With M = N - 1 writers, M^3 + M^2 + M + 1 views: the initial value so many times, and then any numbers, in
 * any order, for what was overwritten may be stored again. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *writer(void *argument) {
  atomic_store(&x, (int)(long)argument);
  atomic_store(&x, (int)(long)argument);
  return NULL;
}

static void *reader(void *argument) {
  for (int i = 0; i < 3; i++)
    atomic_load(&x);
  return argument;
}

int main(void) {
  pthread_t threads[N];
  pthread_create(&threads[0], NULL, reader, NULL);
  for (long i = 1; i < N; i++)
    pthread_create(&threads[i], NULL, writer, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
