// expect: bad-destroy line 8
// also: --model tso => bad-destroy line 8
// also: --model rc11 => bad-destroy line 8
// also: --allow bad-destroy => verified
// A barrier is used after it was destroyed. (glibc leaves it as it is.)
#include <pthread.h>
static pthread_barrier_t b;
static void *worker(void *unused) { pthread_barrier_wait(&b);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_barrier_init(&b, 0, 1);
  pthread_create(&thread, 0, worker, 0);
  pthread_barrier_destroy(&b);
  pthread_join(thread, 0);
}
