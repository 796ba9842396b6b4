// expect: verified
// selvedge: --allow bad-destroy
// also: --allow bad-destroy --model rc11 => verified
// glibc destroys nothing but mutexes: what was destroyed is used as before.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
int main(void) {
  sem_init(&semaphore, 0, 1);
  pthread_spin_init(&spin, 0);
  pthread_rwlock_rdlock(&lock);
  assert(pthread_rwlock_destroy(&lock) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(sem_destroy(&semaphore) == 0);
  assert(sem_trywait(&semaphore) == 0);
  pthread_spin_lock(&spin);
  assert(pthread_spin_destroy(&spin) == 0);
  assert(pthread_spin_unlock(&spin) == 0);
}
