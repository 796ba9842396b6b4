/* Spin locks: 0 is a free one, also if it was never set up, as with glibc. Waiting
 * for one takes no steps. */
#include "selvedge_builtins.h"

#include <pthread.h>

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  (void)shared;
  return __selvedge_spin_init((void *)lock);
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
  return __selvedge_spin_lock((void *)lock);
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  return __selvedge_spin_trylock((void *)lock);
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
  return __selvedge_spin_unlock((void *)lock);
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
  return __selvedge_spin_destroy((void *)lock);
}
