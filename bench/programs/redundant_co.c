/* redundant_co(N): two threads store N times each to one variable, one of them 1 and the other one 2; a third
 * one loads it twice. 7 views for any N: of the 9 pairs of values only those that go back to 0 are missing. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif

static atomic_int x;

static void *writer(void *argument) {
  for (int i = 0; i < N; i++)
    atomic_store(&x, (int)(long)argument);
  return NULL;
}

static void *reader(void *argument) {
  atomic_load(&x);
  atomic_load(&x);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, writer, (void *)1L);
  pthread_create(&threads[1], NULL, writer, (void *)2L);
  pthread_create(&threads[2], NULL, reader, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
