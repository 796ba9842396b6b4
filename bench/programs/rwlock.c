/* rwlock(READERS, WRITERS): a readers-writer lock made of a mutex and a condition variable. Each writer
 * changes two variables, each reader sees both or neither changed; they are plain, so it is a data race if
 * the lock fails. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef READERS
#define READERS 1
#endif
#ifndef WRITERS
#define WRITERS 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int reading, writing;
static int a, b;

static void read_lock(void) {
  pthread_mutex_lock(&mutex);
  while (writing)
    pthread_cond_wait(&changed, &mutex);
  reading++;
  pthread_mutex_unlock(&mutex);
}

static void read_unlock(void) {
  pthread_mutex_lock(&mutex);
  if (--reading == 0)
    pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void write_lock(void) {
  pthread_mutex_lock(&mutex);
  while (writing || reading > 0)
    pthread_cond_wait(&changed, &mutex);
  writing = 1;
  pthread_mutex_unlock(&mutex);
}

static void write_unlock(void) {
  pthread_mutex_lock(&mutex);
  writing = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void *reader(void *argument) {
  read_lock();
  assert(a == b);
  read_unlock();
  return argument;
}

static void *writer(void *argument) {
  write_lock();
  a++;
  b++;
  write_unlock();
  return argument;
}

int main(void) {
  pthread_t threads[READERS + WRITERS];
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_create(&threads[i], NULL, i < READERS ? reader : writer, NULL);
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_join(threads[i], NULL);
  assert(a == WRITERS && b == WRITERS);
  return 0;
}
