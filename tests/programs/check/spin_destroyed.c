// expect: bad-destroy line 7
// also: --model tso => bad-destroy line 7
// also: --model rc11 => bad-destroy line 7
// A spin lock is used after it was destroyed.
#include <pthread.h>
static pthread_spinlock_t s;
static void *worker(void *unused) { pthread_spin_lock(&s); pthread_spin_unlock(&s);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_spin_init(&s, 0);
  pthread_spin_destroy(&s);
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
}
