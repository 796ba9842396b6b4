/* view_example(N): four threads and two variables. Two threads only store; of the other two, each loads what
 * the other one stores and then stores itself. All that N times, and all stores are of 1.
 *
 * 4 * N views: a thread that loads sees 0 so many times and then 1 to the end, but at most one of the two sees
 * 0 more than once, for its own first store comes before its second load: (N + 1)^2 - (N - 1)^2. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif

static atomic_int x, y;

static void *store_x(void *argument) {
  for (int i = 0; i < N; i++)
    atomic_store(&x, 1);
  return argument;
}

static void *load_y(void *argument) {
  for (int i = 0; i < N; i++) {
    atomic_load(&y);
    atomic_store(&x, 1);
  }
  return argument;
}

static void *load_x(void *argument) {
  for (int i = 0; i < N; i++) {
    atomic_load(&x);
    atomic_store(&y, 1);
  }
  return argument;
}

static void *store_y(void *argument) {
  for (int i = 0; i < N; i++)
    atomic_store(&y, 1);
  return argument;
}

int main(void) {
  void *(*const bodies[])(void *) = {store_x, load_y, load_x, store_y};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
