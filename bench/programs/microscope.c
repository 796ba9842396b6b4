/* microscope(N): a bug that was found in the control of an electron microscope. One thread publishes N new
 * positions, each made from the one before: a new object, its fields, then the pointer to it. The other one
 * takes the latest position N times, and what it sees must belong together.
 *
 * It does under SC and TSO. Under PSO the pointer may be in memory before the fields are. The reader's empty
 * critical section does not help, for it is the writer's stores that are out of order. A release store of the
 * pointer (-DPUBLISH=memory_order_release) does. Everything is atomic: this is no matter of data races. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif
#ifndef MO
#define MO memory_order_relaxed
#endif
#ifndef PUBLISH
#define PUBLISH MO
#endif

#define LOAD(variable) atomic_load_explicit(&(variable), MO)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, MO)

struct position {
  atomic_int x, y;
};

static struct position positions[N + 1] = {{1, 2}};
static struct position *_Atomic current = &positions[0];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *argument) {
  for (int i = 1; i <= N; i++) {
    struct position *old = LOAD(current), *new = &positions[i];
    STORE(new->x, LOAD(old->x) + 1);
    STORE(new->y, LOAD(old->y) + 1);
    atomic_store_explicit(&current, new, PUBLISH);
  }
  return argument;
}

static void *reader(void *argument) {
  for (int i = 1; i <= N; i++) {
    struct position *seen = LOAD(current);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    int x = LOAD(seen->x);
    int y = LOAD(seen->y);
    assert(x + 1 == y);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
