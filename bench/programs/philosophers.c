/* philosophers(N): N philosophers eat once, each with the forks of both sides. Everyone takes the left one
 * first, so they can all starve: a deadlock. With -DORDERED the fork with the smaller number comes first,
 * and nobody does: 2^N - 2 classes of executions, as all orders at the forks are possible but the two that
 * go round the table. */
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t forks[N];
static int meals[N]; /* with each fork */

static void *philosopher(void *argument) {
  long left = (long)argument, right = (left + 1) % N;
  long one = left, other = right;
#ifdef ORDERED
  if (right < left)
    one = right, other = left;
#endif
  pthread_mutex_lock(&forks[one]);
  pthread_mutex_lock(&forks[other]);
  meals[left]++;
  meals[right]++;
  pthread_mutex_unlock(&forks[other]);
  pthread_mutex_unlock(&forks[one]);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&forks[i], NULL);
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], NULL, philosopher, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
