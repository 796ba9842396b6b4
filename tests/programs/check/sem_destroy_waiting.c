// expect: bad-destroy line 8
// also: --model tso => bad-destroy line 8
// also: --model rc11 => bad-destroy line 8
// A semaphore is destroyed although a thread may wait for it still.
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
  sem_post(&s);
  sem_destroy(&s);
  pthread_join(thread, 0);
}
