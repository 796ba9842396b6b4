/* seqlock(READERS, R): a sequence lock. One writer changes two variables R times; the number is odd
 * meanwhile. A reader starts again if the number is odd, or has changed since it began. What it sees belongs
 * together.
 *
 * With -DMO=memory_order_relaxed it is still right under TSO and PSO: the updates of the number wait until all
 * before them is in memory. With -DSTORES as well the number is stored; there is only one writer.
 * That is right under TSO, which keeps stores in order, and wrong under PSO. */
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
#ifndef MO
#define MO memory_order_seq_cst
#endif

#define LOAD(variable) atomic_load_explicit(&(variable), MO)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, MO)

#ifdef STORES
#define NEXT(variable) STORE(variable, LOAD(variable) + 1)
#else
#define NEXT(variable) atomic_fetch_add(&(variable), 1)
#endif

static atomic_int sequence;
static atomic_int a, b;

static void *writer(void *argument) {
  for (int i = 1; i <= R; i++) {
    NEXT(sequence);
    STORE(a, i);
    STORE(b, i);
    NEXT(sequence);
  }
  return argument;
}

static void *reader(void *argument) {
  int begin, one, other;
  do {
    do {
      begin = LOAD(sequence);
    } while (begin % 2 != 0);
    one = LOAD(a);
    other = LOAD(b);
  } while (LOAD(sequence) != begin);
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
