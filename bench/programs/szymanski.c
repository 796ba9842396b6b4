/* szymanski(T, R): Szymanski's algorithm: a waiting room with a door in and a door out. T threads enter R
 * times each. The tests over all threads look at one after the other.
 *
 * With -DMO=memory_order_relaxed it fails under TSO and PSO: a thread looks around before the others can see
 * its new state. With -DFENCES as well it is right under both: each new state is in memory first.
 *
 * With -DLOOKS=n a thread that has looked n times in vain at one place leaves, and ends: nothing depends on
 * how a tool treats waiting loops. For T = 2, R = 2: 14,994 classes of executions with LOOKS = 1. For T = 2,
 * R = 1: 266, 998, 2,986, 7,559, 16,808 views with LOOKS = 1 to 5. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef T
#define T 2
#endif
#ifndef R
#define R 1
#endif
#ifndef MO
#define MO memory_order_seq_cst
#endif
#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

#define LOAD(variable) atomic_load_explicit(&(variable), MO)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, MO)

enum { OUTSIDE, WANTS, WAITS, AT_DOOR, IN };

static atomic_int state[T];
static atomic_int inside;

/* Always seq_cst: the store is in memory before the load, and not only in a buffer. */
static void critical_section(int me) {
  atomic_store(&inside, me);
  assert(atomic_load(&inside) == me);
}

static int anybody_wants(int me) {
  for (int other = 0; other < T; other++) {
    if (other != me && LOAD(state[other]) == WANTS)
      return 1;
  }
  return 0;
}

static int door_in_is_closed(int me) {
  for (int other = 0; other < T; other++) {
    if (other != me && LOAD(state[other]) >= AT_DOOR)
      return 1;
  }
  return 0;
}

static int door_out_is_closed(int me) {
  for (int other = 0; other < T; other++) {
    if (other != me && LOAD(state[other]) == IN)
      return 0;
  }
  return 1;
}

static int smaller_is_before(int me) {
  for (int other = 0; other < me; other++) {
    if (LOAD(state[other]) >= WAITS)
      return 1;
  }
  return 0;
}

static int larger_is_coming(int me) {
  for (int other = me + 1; other < T; other++) {
    int seen = LOAD(state[other]);
    if (seen == WAITS || seen == AT_DOOR)
      return 1;
  }
  return 0;
}

/* Waits while the condition holds. The answer is whether it gave up. */
static int waits_in_vain(int (*condition)(int), int me) {
#ifdef LOOKS
  for (int looks = 0; condition(me);) {
    if (++looks == LOOKS)
      return 1;
  }
#else
  while (condition(me))
    ;
#endif
  return 0;
}

static int goes_through(int me) {
  STORE(state[me], WANTS);
  FENCE();
  if (waits_in_vain(door_in_is_closed, me))
    return 0;
  STORE(state[me], AT_DOOR);
  FENCE();
  if (anybody_wants(me)) {
    STORE(state[me], WAITS);
    FENCE();
    if (waits_in_vain(door_out_is_closed, me))
      return 0;
  }
  STORE(state[me], IN);
  FENCE();
  if (waits_in_vain(smaller_is_before, me))
    return 0;
  critical_section(me);
  return !waits_in_vain(larger_is_coming, me);
}

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0, going = 1; going && round < R; round++) {
    going = goes_through(me);
    STORE(state[me], OUTSIDE);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
