/* Thread-specific data. A key is never used again after it was deleted, so that
 * a key is just a number: getting and setting a value touches nothing but the
 * thread's own memory. Creating and deleting keys is atomic. The use of a key
 * that was deleted, which is undefined, goes unnoticed. */
#include "model.h"

#include <errno.h>
#include <pthread.h>

enum { KEYS = 128, ROUNDS = 4 }; /* PTHREAD_DESTRUCTOR_ITERATIONS */

static unsigned next_key;
static void (*destructors[KEYS])(void *);

static _Thread_local void *values[KEYS];
static _Thread_local unsigned used; /* no key from here on has a value */

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  unsigned new = __atomic_fetch_add(&next_key, 1, __ATOMIC_RELAXED);
  if (new >= KEYS) __selvedge_unsupported("more than 128 thread-specific keys");
  if (destructor != NULL) {
    __atomic_store_n(&destructors[new], destructor, __ATOMIC_RELEASE);
  }
  *key = new;
  return 0;
}

int pthread_key_delete(pthread_key_t key) {
  if (key >= KEYS) return EINVAL;
  __atomic_store_n(&destructors[key], NULL, __ATOMIC_RELAXED);
  return 0;
}

void *pthread_getspecific(pthread_key_t key) {
  return key < KEYS ? values[key] : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  if (key >= KEYS) return EINVAL;
  values[key] = (void *)value;
  if (value != NULL && key >= used) used = key + 1;
  return 0;
}

static void destroy_value(unsigned key) {
  void *value = values[key];
  if (value == NULL) return;
  values[key] = NULL;
  void (*destructor)(void *) = __atomic_load_n(&destructors[key], __ATOMIC_ACQUIRE);
  if (destructor != NULL) destructor(value);
}

/* Destructors may set values again, which are destroyed in a further round. */
void __model_run_destructors(void) {
  for (int round = 0; used > 0 && round < ROUNDS; round++) {
    unsigned end = used;
    used = 0;
    for (unsigned key = 0; key < end; key++) destroy_value(key);
  }
}
