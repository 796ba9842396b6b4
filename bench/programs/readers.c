/* readers(N): one thread stores x, N threads load it once; nobody is joined. Each load comes before or after
 * the store: 2^N classes of executions, with -DMO=memory_order_relaxed under TSO and PSO, too. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 8
#endif
#ifndef MO
#define MO memory_order_seq_cst
#endif

#define LOAD(variable) atomic_load_explicit(&(variable), MO)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, MO)

static atomic_int x;

static void *writer(void *argument) {
  STORE(x, 1);
  return argument;
}

static void *reader(void *argument) {
  (void)LOAD(x);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  for (int i = 1; i <= N; i++)
    pthread_create(&thread, NULL, reader, NULL);
  return 0;
}
