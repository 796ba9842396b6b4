/* readers(N): one thread stores x, N threads load it once; nobody is joined. Each load comes before or after
 * the store: 2^N classes of executions. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 8
#endif

static atomic_int x;

static void *writer(void *argument) {
  atomic_store(&x, 1);
  return argument;
}

static void *reader(void *argument) {
  (void)atomic_load(&x);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  for (int i = 1; i <= N; i++)
    pthread_create(&thread, NULL, reader, NULL);
  return 0;
}
