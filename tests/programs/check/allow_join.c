// expect: assertion line 18
// selvedge: --allow bad-join
// also: --allow bad-join --model tso => assertion line 18
// also: --allow bad-join --model rc11 => assertion line 18
// Joining oneself, and a thread that one has detached, are errors that glibc reports.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static void *worker(void *unused) {
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_detach(thread);
  if (pthread_join(thread, 0) != EINVAL) return 1;
  if (pthread_join(pthread_self(), 0) != EDEADLK) return 1;
  assert(0);
}
