// expect: assertion line 13
// selvedge: --allow data-race --allow use-after-free
// also: --model pso --allow data-race --allow use-after-free => assertion line 13
// also: --model rc11 --allow data-race --allow use-after-free => assertion line 13
// A thread that uses what was freed stops; in another order it goes on, and fails.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *cell;
static void *worker(void *unused) {
  *cell = 1;
  assert(0);
  return unused;
}
int main(void) {
  pthread_t thread;
  cell = malloc(sizeof *cell);
  pthread_create(&thread, 0, worker, 0);
  free(cell);
  pthread_join(thread, 0);
}
