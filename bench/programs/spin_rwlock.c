/* spin_rwlock(T, READERS, K): a readers-writer lock in one word: the number of readers inside, or -1 if a
 * writer is. Who wants to enter waits until the word allows it, and tries to change it by compare-exchange. T
 * writers and READERS readers enter K times each; what they write and read is plain, so it is a data race if
 * the lock fails. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef T
#define T 1
#endif
#ifndef READERS
#define READERS 1
#endif
#ifndef K
#define K 1
#endif

static atomic_int inside;
static int counter, copy;

static int changes(int from, int to) {
  return atomic_compare_exchange_strong_explicit(&inside, &from, to, memory_order_acquire,
                                                 memory_order_relaxed);
}

static void read_lock(void) {
  int seen;
  do {
    while ((seen = atomic_load_explicit(&inside, memory_order_relaxed)) < 0)
      ;
  } while (!changes(seen, seen + 1));
}

static void read_unlock(void) { atomic_fetch_sub_explicit(&inside, 1, memory_order_release); }

static void write_lock(void) {
  do {
    while (atomic_load_explicit(&inside, memory_order_relaxed) != 0)
      ;
  } while (!changes(0, -1));
}

static void write_unlock(void) { atomic_store_explicit(&inside, 0, memory_order_release); }

static void *writer(void *argument) {
  for (int round = 0; round < K; round++) {
    write_lock();
    counter++;
    copy++;
    write_unlock();
  }
  return argument;
}

static void *reader(void *argument) {
  for (int round = 0; round < K; round++) {
    read_lock();
    assert(counter == copy);
    read_unlock();
  }
  return argument;
}

int main(void) {
  pthread_t threads[T + READERS];
  for (int i = 0; i < T + READERS; i++)
    pthread_create(&threads[i], NULL, i < T ? writer : reader, NULL);
  for (int i = 0; i < T + READERS; i++)
    pthread_join(threads[i], NULL);
  assert(counter == T * K && copy == T * K);
  return 0;
}
