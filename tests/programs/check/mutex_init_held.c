// expect: bad-init line 14
// also: --model tso => bad-init line 14
// also: --model rc11 => bad-init line 14
// A mutex is set up again while a thread may hold it.
#include <pthread.h>
static pthread_mutex_t m;
static void *worker(void *unused) {
  pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_init(&m, 0);
  pthread_join(thread, 0);
}
