/* alpha2(N, K): N / K threads store K numbers each to one variable, all different, and then again; one thread
 * loads it twice. N^2 + N + 1 views: any two of the N numbers in any order, or twice the same, or one of them
 * after the initial value, or twice that. (With K = 1 once would do. More than 1 is for N beyond the limit of
 * the number of threads.) */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 1
#endif

static atomic_int x;

static void *writer(void *argument) {
  for (int round = 0; round < (K > 1) + 1; round++) {
    for (int k = 1; k <= K; k++)
      atomic_store(&x, (int)(long)argument * K + k);
  }
  return NULL;
}

static void *reader(void *argument) {
  atomic_load(&x);
  atomic_load(&x);
  return argument;
}

int main(void) {
  pthread_t threads[N / K + 1];
  for (long i = 0; i < N / K; i++)
    pthread_create(&threads[i], NULL, writer, (void *)i);
  pthread_create(&threads[N / K], NULL, reader, NULL);
  for (int i = 0; i <= N / K; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
