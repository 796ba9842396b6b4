// expect: assertion line 14
// selvedge: --allow bad-unlock
// also: --allow bad-unlock --model tso => assertion line 14
// also: --allow bad-unlock --model rc11 => assertion line 14
// A normal mutex that another thread holds is free after unlocking it, so two threads are in the critical section.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside;
static void *worker(void *unused) {
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  assert(inside++ == 0);
  inside--;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&m);
  inside++;
  inside--;
  pthread_mutex_unlock(&m);
  pthread_join(thread, 0);
}
