// expect: deadlock line 10
// selvedge: --allow relock
// also: --allow relock --allow deadlock => verified
// also: --allow relock --model tso => deadlock line 10
// also: --allow relock --model rc11 => deadlock line 10
// A thread that locks a normal mutex again waits for itself.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *unused) {
  pthread_mutex_lock(&m); pthread_mutex_lock(&m);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
}
