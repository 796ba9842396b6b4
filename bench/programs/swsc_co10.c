/* swsc_co10(N, M): N threads store numbers of their own to one variable, M threads to another one; both are
 * loaded when all these threads have ended. N * M views: any of the stores may be the last. (The limit of the
 * number of threads is why there is a second variable.) */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif
#ifndef M
#define M 1
#endif

static atomic_int x, y;

static void *store_x(void *argument) {
  atomic_store(&x, (int)(long)argument);
  return NULL;
}

static void *store_y(void *argument) {
  atomic_store(&y, (int)(long)argument);
  return NULL;
}

int main(void) {
  pthread_t threads[N + M];
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], NULL, store_x, (void *)(i + 1));
  for (long i = 0; i < M; i++)
    pthread_create(&threads[N + i], NULL, store_y, (void *)(i + 1));
  for (int i = 0; i < N + M; i++)
    pthread_join(threads[i], NULL);
  assert(atomic_load(&x) && atomic_load(&y));
  return 0;
}
