/* bounded_buffer(PRODUCERS, CONSUMERS, ITEMS): a ring of SLOTS places behind a mutex, with a condition
 * variable for each of "not full" and "not empty". Each producer puts ITEMS numbers in; the consumers take
 * all of them out, in equal parts. In the end the sum is right. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef SLOTS
#define SLOTS 1
#endif

#define TOTAL (PRODUCERS * ITEMS)
_Static_assert(TOTAL % CONSUMERS == 0, "each consumer takes the same number of items");

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int slots[SLOTS], first, used;
static int sums[CONSUMERS];

static void put(int item) {
  pthread_mutex_lock(&mutex);
  while (used == SLOTS)
    pthread_cond_wait(&not_full, &mutex);
  slots[(first + used) % SLOTS] = item;
  used++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}

static int take(void) {
  pthread_mutex_lock(&mutex);
  while (used == 0)
    pthread_cond_wait(&not_empty, &mutex);
  int item = slots[first];
  first = (first + 1) % SLOTS;
  used--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return item;
}

static void *producer(void *argument) {
  int number = (int)(long)argument;
  for (int i = 1; i <= ITEMS; i++)
    put(number * ITEMS + i);
  return NULL;
}

static void *consumer(void *argument) {
  int sum = 0;
  for (int i = 0; i < TOTAL / CONSUMERS; i++)
    sum += take();
  sums[(long)argument] = sum;
  return NULL;
}

int main(void) {
  pthread_t threads[PRODUCERS + CONSUMERS];
  for (long i = 0; i < PRODUCERS; i++)
    pthread_create(&threads[i], NULL, producer, (void *)i);
  for (long i = 0; i < CONSUMERS; i++)
    pthread_create(&threads[PRODUCERS + i], NULL, consumer, (void *)i);
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
    pthread_join(threads[i], NULL);
  int sum = 0;
  for (int i = 0; i < CONSUMERS; i++)
    sum += sums[i];
  assert(used == 0 && sum == TOTAL * (TOTAL + 1) / 2);
  return 0;
}
