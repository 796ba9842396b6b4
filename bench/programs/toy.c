/* Three threads of OPS atomic operations each on one variable: the toy that the speed of exhaustive
 * exploration is measured with. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef OPS
#define OPS 4
#endif

static atomic_int x;

static void *worker(void *argument) {
  for (int i = 0; i < OPS; i++)
    atomic_fetch_add(&x, 1);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return atomic_load(&x) != 3 * OPS;
}
