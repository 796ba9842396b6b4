/* Signals: nobody sends any but the program itself, with raise(), and a handler
 * then runs as an ordinary call. Handlers are kept in a table of atomics, for
 * threads may set them at the same time. Masks and flags are not modelled: they
 * are accepted and mean nothing. */
#define _GNU_SOURCE
#include "selvedge_builtins.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

enum { SIGNALS = 65 };

static sighandler_t handlers[SIGNALS]; /* NULL is SIG_DFL */

static int is_signal(int number) {
  if (number > 0 && number < SIGNALS) return 1;
  errno = EINVAL;
  return 0;
}

static int can_be_handled(int number) {
  if (!is_signal(number)) return 0;
  if (number != SIGKILL && number != SIGSTOP) return 1;
  errno = EINVAL;
  return 0;
}

sighandler_t signal(int number, sighandler_t handler) {
  if (!can_be_handled(number)) return SIG_ERR;
  return __atomic_exchange_n(&handlers[number], handler, __ATOMIC_ACQ_REL);
}

sighandler_t __sysv_signal(int number, sighandler_t handler) {
  return signal(number, handler);
}

int raise(int number) {
  if (!is_signal(number)) return -1;
  sighandler_t handler = __atomic_load_n(&handlers[number], __ATOMIC_ACQUIRE);
  if (handler == SIG_IGN) return 0;
  if (handler != SIG_DFL) {
    handler(number);
    return 0;
  }
  switch (number) {
    case SIGABRT: __selvedge_abort();
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH: return 0; /* ignored by default */
  }
  __selvedge_unsupported("raise of a signal that ends the process");
}

int sigaction(int number, const struct sigaction *restrict action,
              struct sigaction *restrict old) {
  if (!is_signal(number) || (action != NULL && !can_be_handled(number))) return -1;
  sighandler_t previous;
  if (action != NULL) {
    if (action->sa_flags & SA_SIGINFO) {
      __selvedge_unsupported("sigaction with SA_SIGINFO");
    }
    previous = signal(number, action->sa_handler);
  } else {
    previous = __atomic_load_n(&handlers[number], __ATOMIC_ACQUIRE);
  }
  if (old != NULL) {
    __builtin_memset(old, 0, sizeof *old);
    old->sa_handler = previous;
  }
  return 0;
}

/* Sets of signals. */

int sigemptyset(sigset_t *set) {
  __builtin_memset(set, 0, sizeof *set);
  return 0;
}

/* glibc leaves out the two signals it uses itself. */
int sigfillset(sigset_t *set) {
  __builtin_memset(set, 0xff, sizeof *set);
  set->__val[0] &= ~(3ul << 31);
  return 0;
}

int sigaddset(sigset_t *set, int number) {
  if (!is_signal(number)) return -1;
  set->__val[0] |= 1ul << (number - 1);
  return 0;
}

int sigdelset(sigset_t *set, int number) {
  if (!is_signal(number)) return -1;
  set->__val[0] &= ~(1ul << (number - 1));
  return 0;
}

int sigismember(const sigset_t *set, int number) {
  if (!is_signal(number)) return -1;
  return (set->__val[0] >> (number - 1) & 1) != 0;
}

static void clear_mask(sigset_t *mask) {
  if (mask != NULL) __builtin_memset(mask, 0, sizeof *mask);
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
  (void)how, (void)set;
  clear_mask(old);
  return 0;
}

int pthread_sigmask(int how, const sigset_t *restrict set,
                    sigset_t *restrict old) {
  (void)how, (void)set;
  clear_mask(old);
  return 0;
}

int siginterrupt(int number, int interrupt) {
  (void)number, (void)interrupt;
  return 0;
}
