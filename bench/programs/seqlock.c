/* seqlock(READERS, R): a sequence lock. One writer changes two variables R times; the number is odd
 * meanwhile. A reader starts again if the number is odd, or has changed since it began. What it sees belongs
 * together. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef READERS
#define READERS 1
#endif
#ifndef R
#define R 1
#endif

static atomic_int sequence;
static atomic_int a, b;

static void *writer(void *argument) {
  for (int i = 1; i <= R; i++) {
    atomic_fetch_add(&sequence, 1);
    atomic_store(&a, i);
    atomic_store(&b, i);
    atomic_fetch_add(&sequence, 1);
  }
  return argument;
}

static void *reader(void *argument) {
  int begin, one, other;
  do {
    do {
      begin = atomic_load(&sequence);
    } while (begin % 2 != 0);
    one = atomic_load(&a);
    other = atomic_load(&b);
  } while (atomic_load(&sequence) != begin);
  assert(one == other && one == begin / 2);
  return argument;
}

int main(void) {
  pthread_t threads[READERS + 1];
  pthread_create(&threads[0], NULL, writer, NULL);
  for (int i = 1; i <= READERS; i++)
    pthread_create(&threads[i], NULL, reader, NULL);
  for (int i = 0; i <= READERS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
