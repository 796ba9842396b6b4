// expect: bad-init line 15
// also: --model tso => bad-init line 15
// also: --model rc11 => bad-init line 15
// A semaphore is set up again although a thread waits for it.
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *worker(void *unused) { sem_wait(&s);
  return unused;
}
int main(void) {
  pthread_t thread;
  sem_init(&s, 0, 0);
  pthread_create(&thread, 0, worker, 0);
  sem_init(&s, 0, 1);
  pthread_join(thread, 0);
}
