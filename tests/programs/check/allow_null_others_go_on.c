// expect: assertion line 16
// selvedge: --allow null-dereference
// also: --allow null-dereference --model tso => assertion line 16
// also: --allow null-dereference --model rc11 => assertion line 16
// A thread that does something undefined stops; the others go on, and what they do wrong is found.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *worker(void *nothing) {
  x = 1;
  return (void *)(long)*(volatile int *)nothing;
}
static void *other(void *unused) {
  int seen = x;
  assert(seen != 1);
  return unused;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, worker, 0);
  pthread_create(&two, 0, other, 0);
  pthread_join(two, 0);
}
