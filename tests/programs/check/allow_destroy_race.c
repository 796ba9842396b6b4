// expect: assertion line 20
// selvedge: --allow bad-destroy
// also: --allow bad-destroy --model tso => assertion line 20
// also: --allow bad-destroy --model rc11 => assertion line 20
// Whether a mutex is held when it is destroyed depends on the order; if it is, destroying it fails.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  int error = pthread_mutex_destroy(&m);
  pthread_join(thread, 0);
  assert(error == 0);
}
