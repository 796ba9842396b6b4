// expect: bad-init line 8
// also: --model tso => bad-init line 8
// also: --model rc11 => bad-init line 8
// A semaphore is set up after a thread was created that may use it before.
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *worker(void *unused) { sem_wait(&s);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  sem_init(&s, 0, 1);
  pthread_join(thread, 0);
}
