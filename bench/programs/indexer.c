/* indexer(N): N threads share a hash table of 128 places. Each makes four insertions, by compare-and-swap
 * and with linear probing; nobody is joined. Up to eleven threads no two ever try the same place. 8, 64, 512,
 * 4096 classes of executions for N = 12, 13, 14, 15. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 12
#endif

#define SIZE 128
#define INSERTIONS 4

static atomic_int table[SIZE];

static void insert(int message) {
  int place = message * 7 % SIZE;
  assert(place >= 0);
  for (int empty = 0; !atomic_compare_exchange_strong(&table[place], &empty, message); empty = 0)
    place = (place + 1) % SIZE;
}

static void *indexer(void *argument) {
  int number = (int)(long)argument;
  for (int i = 1; i <= INSERTIONS; i++)
    insert(i * 11 + number);
  return NULL;
}

int main(void) {
  pthread_t thread;
  for (long i = 0; i < N; i++)
    pthread_create(&thread, NULL, indexer, (void *)i);
  return 0;
}
