/* lastzero(N): thread j in 1..N computes a[j] = a[j-1] + 1; one thread scans from a[N] down to the first
 * zero; nobody is joined. (N + 3) * 2^(N - 2) classes of executions. No thread reads after it has stored, so
 * with -DMO=memory_order_relaxed TSO and PSO add nothing to what can be read. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 6
#endif
#ifndef MO
#define MO memory_order_seq_cst
#endif

#define LOAD(variable) atomic_load_explicit(&(variable), MO)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, MO)

static atomic_int a[N + 1];

static void *increment(void *argument) {
  long j = (long)argument;
  STORE(a[j], LOAD(a[j - 1]) + 1);
  return NULL;
}

static void *scan(void *argument) {
  int i = N;
  while (LOAD(a[i]) != 0)
    i--;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, scan, NULL);
  for (long j = 1; j <= N; j++)
    pthread_create(&thread, NULL, increment, (void *)j);
  return 0;
}
