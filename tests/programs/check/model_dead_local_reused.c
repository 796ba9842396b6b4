// expect: verified
// a store to a local object is still in the buffer when the object has ended and another has its place (stack
// addresses are used again after 64 KiB of other locals): the new object does not have the old one's value
// also: --model tso => verified
// also: --model pso => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int *_Atomic shown;

static void leave(void) {
  atomic_int local;
  atomic_init(&local, 0);
  atomic_store_explicit(&shown, &local, memory_order_relaxed);
  atomic_store_explicit(&local, 7, memory_order_relaxed);
}

static void use_stack(void) {
  volatile char other[80000];
  other[0] = 1;
}

static void come(void) {
  atomic_int local;
  atomic_init(&local, 1);
  atomic_store_explicit(&shown, &local, memory_order_relaxed);
  assert(atomic_load_explicit(&local, memory_order_relaxed) == 1);
}

static void *writer(void *argument) {
  leave();
  use_stack();
  come();
  use_stack();
  come();
  return argument;
}

static void *reader(void *argument) {
  (void)atomic_load_explicit(&shown, memory_order_relaxed);
  return argument;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, writer, NULL);
  pthread_create(&other, NULL, reader, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
}
