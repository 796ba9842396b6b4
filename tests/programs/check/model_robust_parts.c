// expect: data-race line 23|33
// --robust: an operation whose stores arrive one after the other, and somebody looks in between
// also: --robust tso => not-robust line 23
//   an assignment of 16 bytes is two stores, one step under sequential consistency
// also: --robust pso => not-robust line 23
// also: --robust tso -- -DHAND_OVER => verified
// also: --robust pso -- -DHAND_OVER => not-robust line 21
//   the pointer is in memory before what it points to, which was stored when nobody could see it
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static struct pair { long first, second; } pair, ones = {1, 1};
static atomic_int *_Atomic handed_over;

static void *writer(void *argument) {
#ifdef HAND_OVER
  atomic_int *object = malloc(sizeof *object);
  atomic_init(object, 1);
  atomic_store_explicit(&handed_over, object, memory_order_relaxed);
#else
  pair = ones;
#endif
  return argument;
}

static void *reader(void *argument) {
#ifdef HAND_OVER
  atomic_int *object = atomic_load_explicit(&handed_over, memory_order_relaxed);
  return object && atomic_load_explicit(object, memory_order_relaxed) ? argument : NULL;
#else
  return pair.first && pair.second ? argument : NULL;
#endif
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, writer, NULL);
  pthread_create(&other, NULL, reader, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
}
