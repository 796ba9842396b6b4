/* One thread takes PREFIX visible steps, then two threads take STEPS each: the tree of their
 * interleavings is what the benchmark explores, by rewinding, again and again. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef PREFIX
#define PREFIX 10
#endif
#define STEPS 6

static atomic_int before, shared;

static void *other(void *argument) {
  for (int i = 0; i < STEPS; i++)
    atomic_fetch_add(&shared, 1);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  for (int i = 0; i < PREFIX; i++)
    atomic_fetch_add(&before, 1);
  for (int i = 0; i < STEPS; i++)
    atomic_fetch_add(&shared, 1);
  return pthread_join(thread, NULL);
}
