/* stack_unsafe(N): one thread pushes N numbers onto a stack, one pops N, each under the mutex. But who pops
 * does not look whether there is anything: the stack underflows. With -DFIXED it does look, and takes what
 * there is.
 *
 * With -DFIXED: one class of executions for each order of the critical sections, 252 for N = 5. Published: 29
 * executions by maximal causality reduction, 252 by a classic one; the underflow in the second. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 5
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int items[N], top;

static void push(int item) {
  assert(top < N);
  items[top] = item;
  top++;
}

static int pop(void) {
  assert(top > 0);
  top--;
  return items[top];
}

static void *pushes(void *argument) {
  for (int i = 1; i <= N; i++) {
    pthread_mutex_lock(&mutex);
    push(i);
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

static void *pops(void *argument) {
  for (int i = 1; i <= N; i++) {
    pthread_mutex_lock(&mutex);
#ifdef FIXED
    if (top > 0)
#endif
      pop();
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, pushes, NULL);
  pthread_create(&threads[1], NULL, pops, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
