/* Actions that are performed once, of POSIX and of C11. */
#include "selvedge_builtins.h"

#include <pthread.h>
#include <threads.h>

int pthread_once(pthread_once_t *once, void (*action)(void)) {
  if (__selvedge_once_begin(once)) {
    action();
    __selvedge_once_end(once);
  }
  return 0;
}

void call_once(once_flag *once, void (*action)(void)) {
  if (__selvedge_once_begin(once)) {
    action();
    __selvedge_once_end(once);
  }
}
