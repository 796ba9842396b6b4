// expect: assertion line 14
// selvedge: --allow bad-destroy
// also: --allow bad-destroy --model tso => assertion line 14
// also: --allow bad-destroy --model pso => assertion line 14
// also: --allow bad-destroy --model rc11 => assertion line 14
// What is allowed goes on as with glibc: a mutex that is held is not destroyed, and the program goes on.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&m);
  if (pthread_mutex_destroy(&m) != EBUSY) return 1;
  assert(0);
}
