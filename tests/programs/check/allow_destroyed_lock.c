// expect: assertion line 13
// selvedge: --allow bad-destroy
// also: --allow bad-destroy --model tso => assertion line 13
// also: --allow bad-destroy --model rc11 => assertion line 13
// A mutex that was destroyed is none: locking it gives EINVAL, in some order.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *unused) {
  int error = pthread_mutex_lock(&m);
  if (error == 0) pthread_mutex_unlock(&m);
  assert(error != EINVAL);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_destroy(&m);
  pthread_join(thread, 0);
}
