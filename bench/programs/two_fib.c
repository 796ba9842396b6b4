/* two_fib(N): the two threads of fib_bench: i = j = 1; one computes i = i + j N times, one j = j + i N times,
 * the left operand first. Nobody looks at the result, and nobody is joined. All accesses are relaxed, so
 * under TSO and PSO all stores are buffered. There is nothing to find; what counts is how many executions
 * there are. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif
#ifndef MO
#define MO memory_order_relaxed
#endif

static atomic_int i = 1, j = 1;

#define LOAD(variable) atomic_load_explicit(&(variable), MO)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, MO)

static void *first(void *argument) {
  for (int k = 0; k < N; k++) {
    int left = LOAD(i);
    int right = LOAD(j);
    STORE(i, left + right);
  }
  return argument;
}

static void *second(void *argument) {
  for (int k = 0; k < N; k++) {
    int left = LOAD(j);
    int right = LOAD(i);
    STORE(j, left + right);
  }
  return argument;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&other, NULL, second, NULL);
  return 0;
}
