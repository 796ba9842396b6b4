// expect: bounded
// selvedge: --allow bad-join
// also: --allow bad-join --model rc11 => bounded
// What happens when a thread is joined twice cannot be told: the thread stops, and the verdict says so.
#include <assert.h>
#include <pthread.h>
static void *worker(void *unused) {
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  pthread_join(thread, 0);
  assert(0);
}
