/* publication(N): the bug of microscope.c with all that is not needed left out. One thread makes an object and
 * publishes it, N times: it takes the flag z back, clears x and y, sets them, and sets z. The other one looks
 * N times: if z is set it compares x and y, and if they do not belong together it reads both once more, for a
 * message.
 *
 * For N = 1 they always belong together under SC and TSO, and need not under PSO. For N > 1 they may be those
 * of two objects under any model. So what is asserted is that the N publications, one store after the other,
 * explain what was read; for N = 1 it is the same. It holds under SC and TSO, and fails under PSO.
 *
 * For N = 1 to 4 under SC and TSO: 2, 52, 1,016, 17,680 views (published for maximal causality reduction: 2, 43,
 * 296, 2,767 executions, too few for all views); for N = 1 to 3: 3, 105, 4,395 classes of executions.
 * Under PSO, with -DNDEBUG, so that executions go on: 10, 188, 2,728, 38,384 views (published: 10, 89, 819, 8,420
 * executions, and the error in the third). */
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

#define LOAD(variable) atomic_load_explicit(&(variable), MO)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, MO)

static atomic_int x, y, z;

static void *writer(void *argument) {
  for (int i = 0; i < N; i++) {
    STORE(z, 0);
    STORE(x, 0);
    STORE(y, 0);
    STORE(x, 2);
    STORE(y, 3);
    STORE(z, 1);
  }
  return argument;
}

/* What the variables hold after some of the writer's stores. */
struct memory {
  int x, y, z, stores;
};

static void advance(struct memory *memory) {
  assert(memory->stores < 6 * N);
  int *const variables[] = {&memory->z, &memory->x, &memory->y, &memory->x, &memory->y, &memory->z};
  const int values[] = {0, 0, 0, 2, 3, 1};
  int next = memory->stores++ % 6;
  *variables[next] = values[next];
}

/* Reads a variable; as few of the stores as possible shall have happened since the last read. */
#define READ(variable) read_and_explain(&(variable), &memory, &memory.variable)
static int read_and_explain(atomic_int *variable, struct memory *memory, int *explained) {
  int seen = LOAD(*variable);
  while (*explained != seen)
    advance(memory);
  return seen;
}

static void *reader(void *argument) {
  struct memory memory = {0, 0, 0, 0};
  for (int i = 0; i < N; i++) {
    if (READ(z) == 1) {
      int seen = READ(x);
      if (seen + 1 != READ(y)) {
        READ(x);
        READ(y);
      }
    }
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
