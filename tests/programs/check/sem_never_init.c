// expect: bad-init line 9
// also: --model tso => bad-init line 9
// also: --model rc11 => bad-init line 9
// also: --allow bad-init => verified
// A semaphore that was never set up. (glibc takes one that is all zero for one with the value 0.)
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *worker(void *unused) { sem_post(&s);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  sem_wait(&s);
}
