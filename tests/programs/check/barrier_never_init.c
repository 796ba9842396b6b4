// expect: bad-init line 7
// also: --model rc11 => bad-init line 7
// also: --allow bad-init => bounded
// A barrier that was never set up: glibc divides by zero.
#include <pthread.h>
static pthread_barrier_t b;
static void *worker(void *unused) { pthread_barrier_wait(&b);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
}
