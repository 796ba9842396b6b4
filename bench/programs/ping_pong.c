/* ping_pong(T, N): T threads come to the table N times each. Who finds nobody there plays; who finds a player
 * looks who it is, and sends them away. Somebody else may have done so already: a null pointer is
 * dereferenced. With -DFIXED there is a mutex.
 *
 * 7 pairs of lines with a data race: of the two lines that read the pointer and the two that write it, all but
 * two that read. With -DATOMIC the pointer is atomic.
 *
 * Published for T = 5: 411 executions by maximal causality reduction, 282 by its switch-equivalent form; 7 races
 * and 1 null pointer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef T
#define T 3
#endif
#ifndef N
#define N 1
#endif
#ifdef ATOMIC
#define SHARED _Atomic
#else
#define SHARED
#endif

struct player {
  int number;
};
static struct player *SHARED player;

#ifdef FIXED
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#define LOCK() pthread_mutex_lock(&mutex)
#define UNLOCK() pthread_mutex_unlock(&mutex)
#else
#define LOCK() ((void)0)
#define UNLOCK() ((void)0)
#endif

static void *comes(void *argument) {
  for (int i = 0; i < N; i++) {
    LOCK();
    if (!player) {
      player = argument;
    } else {
      (void)player->number;
      player = NULL;
    }
    UNLOCK();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  struct player players[T];
  for (int i = 0; i < T; i++)
    players[i].number = i;
  for (int i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, comes, &players[i]);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
