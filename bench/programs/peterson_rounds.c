/* peterson_rounds(N): Peterson's algorithm for two threads that do not wait: a thread that would have to takes
 * its announcement back and begins again, N times at most. One that has entered stays.
 *
 * 6 * N + 1 views. One of the two enters, or none does, for who has entered is seen by all who come later. If
 * none does, all loads give what makes a thread wait. If one does, it has failed any number of times from 0 to
 * N - 1 before, and there are three pairs of values with which it may enter; the other one fails to the end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif

static atomic_int wants[2], turn;
static atomic_int inside;

static void *worker(void *argument) {
  int me = (int)(long)argument, other = 1 - me;
  for (int tries = 0; tries < N; tries++) {
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other);
    int is_wanted = atomic_load(&wants[other]);
    int whose = atomic_load(&turn);
    if (!is_wanted || whose == me) {
      atomic_store(&inside, me);
      assert(atomic_load(&inside) == me);
      break;
    }
    atomic_store(&wants[me], 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
