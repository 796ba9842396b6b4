// expect: bad-init line 14
// also: --model rc11 => bad-init line 14
// A barrier is set up again although threads may wait at it.
#include <pthread.h>
static pthread_barrier_t b;
static void *worker(void *unused) {
  pthread_barrier_wait(&b);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&thread, 0, worker, 0);
  pthread_barrier_init(&b, 0, 2);
  pthread_barrier_wait(&b);
  pthread_join(thread, 0);
}
