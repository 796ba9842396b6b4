// expect: bad-init line 14
// also: --model tso => bad-init line 14
// also: --model rc11 => bad-init line 14
// A spin lock is set up again while a thread may hold it.
#include <pthread.h>
static pthread_spinlock_t s;
static void *worker(void *unused) {
  pthread_spin_lock(&s); pthread_spin_unlock(&s);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_spin_init(&s, 0);
  pthread_join(thread, 0);
}
