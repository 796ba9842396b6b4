/* rwlock_pthread(READERS, WRITERS, R): the readers-writer lock of POSIX. Each writer changes two variables,
 * each reader sees both or neither changed, R times; they are plain, so it is a data race if the lock fails.
 * Readers do not mind each other: with two writers and R = 2 there are six orders of the writers' turns, and
 * for each reader 15 places among them for its two; with three readers 6 * 15^3 = 20,250 classes of
 * executions. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef R
#define R 1
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *reader(void *argument) {
  for (int round = 0; round < R; round++) {
    pthread_rwlock_rdlock(&lock);
    assert(a == b);
    pthread_rwlock_unlock(&lock);
  }
  return argument;
}

static void *writer(void *argument) {
  for (int round = 0; round < R; round++) {
    pthread_rwlock_wrlock(&lock);
    a++;
    b++;
    pthread_rwlock_unlock(&lock);
  }
  return argument;
}

int main(void) {
  pthread_t threads[READERS + WRITERS];
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_create(&threads[i], NULL, i < READERS ? reader : writer, NULL);
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_join(threads[i], NULL);
  assert(a == WRITERS * R && b == WRITERS * R);
  return 0;
}
