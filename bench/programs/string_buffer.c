/* string_buffer(T, N): texts that lock themselves. T threads append one text to a text of their own, N times;
 * another thread cuts off a character of it N times. Each operation on one text is a critical section, but to
 * append another one is two operations on that: how long is it, and what are the characters up to there? In
 * between it may have become shorter. With -DFIXED it stays locked in between. No data races.
 *
 * Published for T = 1: 8 executions by maximal causality reduction. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#ifndef T
#define T 1
#endif
#ifndef N
#define N 1
#endif

struct text {
  pthread_mutex_t mutex;
  size_t length;
  char characters[N + 1];
};
static struct text source;

static void copy_characters(struct text *text, size_t end, char *to) {
  assert(end <= text->length);
  memcpy(to, text->characters, end);
}

static size_t append(char *end_of_own, struct text *text) {
  pthread_mutex_lock(&text->mutex);
  size_t length = text->length;
#ifndef FIXED
  pthread_mutex_unlock(&text->mutex);
  pthread_mutex_lock(&text->mutex);
#endif
  copy_characters(text, length, end_of_own);
  pthread_mutex_unlock(&text->mutex);
  return length;
}

static void *appends(void *argument) {
  char own[N * (N + 1)];
  size_t length = 0;
  for (int i = 0; i < N; i++)
    length += append(own + length, &source);
  return argument;
}

static void *cuts(void *argument) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&source.mutex);
    source.length--;
    pthread_mutex_unlock(&source.mutex);
  }
  return argument;
}

int main(void) {
  pthread_t threads[T + 1];
  pthread_mutex_init(&source.mutex, NULL);
  source.length = sizeof source.characters;
  memset(source.characters, 'a', source.length);
  for (int i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, appends, NULL);
  pthread_create(&threads[T], NULL, cuts, NULL);
  for (int i = 0; i <= T; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
