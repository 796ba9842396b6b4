/* thread_pool(WORKERS, TASKS): main hands TASKS tasks to WORKERS threads through a queue with a mutex and a
 * condition variable, then closes it and waits for all. Each task has been done once. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TASKS
#define TASKS 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queue[TASKS], submitted, begun, closed;
static int done[TASKS];

static void submit(int task) {
  pthread_mutex_lock(&mutex);
  queue[submitted++] = task;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void close_queue(void) {
  pthread_mutex_lock(&mutex);
  closed = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

/* The next task, or -1 if there will be no more. */
static int next_task(void) {
  int task = -1;
  pthread_mutex_lock(&mutex);
  while (begun == submitted && !closed)
    pthread_cond_wait(&changed, &mutex);
  if (begun < submitted)
    task = queue[begun++];
  pthread_mutex_unlock(&mutex);
  return task;
}

static void *worker(void *argument) {
  for (int task = next_task(); task >= 0; task = next_task())
    done[task]++;
  return argument;
}

int main(void) {
  pthread_t threads[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  for (int task = 0; task < TASKS; task++)
    submit(task);
  close_queue();
  for (int i = 0; i < WORKERS; i++)
    pthread_join(threads[i], NULL);
  for (int task = 0; task < TASKS; task++)
    assert(done[task] == 1);
  return 0;
}
