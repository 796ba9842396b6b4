/* The end of the process: exit, its handlers, abort.
 *
 * The table of handlers is filled and emptied atomically, because threads may
 * register handlers at the same time. */
#define _GNU_SOURCE
#include "selvedge_builtins.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* One of the three ways to be called. */
enum form { FORM_PLAIN = 1, FORM_WITH_STATUS, FORM_WITH_ARGUMENT };

struct handler {
  enum form form; /* 0: not registered yet */
  union {
    void (*plain)(void);
    void (*with_status)(int, void *);
    void (*with_argument)(void *);
  };
  void *argument;
};

enum { MOST_HANDLERS = 256 };

struct handlers {
  int count;
  struct handler table[MOST_HANDLERS];
};

static struct handlers at_exit, at_quick;

static int add_handler(struct handlers *handlers, struct handler handler) {
  int slot = __atomic_fetch_add(&handlers->count, 1, __ATOMIC_RELAXED);
  if (slot >= MOST_HANDLERS) __selvedge_unsupported("more than 256 exit handlers");
  handlers->table[slot].plain = handler.plain;
  handlers->table[slot].argument = handler.argument;
  __atomic_store_n(&handlers->table[slot].form, handler.form, __ATOMIC_RELEASE);
  return 0;
}

/* The last comes first; a handler may register more, which then come next. */
static void run_handlers(struct handlers *handlers, int status) {
  for (;;) {
    int slot = __atomic_load_n(&handlers->count, __ATOMIC_RELAXED) - 1;
    if (slot < 0) return;
    struct handler *handler = &handlers->table[slot];
    enum form form = __atomic_exchange_n(&handler->form, 0, __ATOMIC_ACQ_REL);
    void *argument = handler->argument;
    __atomic_store_n(&handlers->count, slot, __ATOMIC_RELAXED);
    if (form == FORM_PLAIN) handler->plain();
    if (form == FORM_WITH_STATUS) handler->with_status(status, argument);
    if (form == FORM_WITH_ARGUMENT) handler->with_argument(argument);
  }
}

int atexit(void (*function)(void)) {
  struct handler handler = {.form = FORM_PLAIN, .plain = function};
  return add_handler(&at_exit, handler);
}

int at_quick_exit(void (*function)(void)) {
  struct handler handler = {.form = FORM_PLAIN, .plain = function};
  return add_handler(&at_quick, handler);
}

int on_exit(void (*function)(int, void *), void *argument) {
  struct handler handler = {
    .form = FORM_WITH_STATUS, .with_status = function, .argument = argument};
  return add_handler(&at_exit, handler);
}

int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
  (void)library;
  struct handler handler = {
    .form = FORM_WITH_ARGUMENT, .with_argument = function, .argument = argument};
  return add_handler(&at_exit, handler);
}

int __cxa_at_quick_exit(void (*function)(void *), void *library) {
  (void)library;
  struct handler handler = {.form = FORM_WITH_ARGUMENT, .with_argument = function};
  return add_handler(&at_quick, handler);
}

/* Output is written through, so there is nothing to flush. */
_Noreturn void exit(int status) {
  run_handlers(&at_exit, status);
  __selvedge_exit(status);
}

_Noreturn void quick_exit(int status) {
  run_handlers(&at_quick, status);
  __selvedge_exit(status);
}

_Noreturn void _Exit(int status) { __selvedge_exit(status); }
_Noreturn void _exit(int status) { __selvedge_exit(status); }

/* A handler for SIGABRT runs first, as anywhere; returning does not help it. */
_Noreturn void abort(void) {
  raise(SIGABRT);
  __selvedge_abort();
}

int system(const char *command) {
  if (command == NULL) return 0;
  __selvedge_unsupported("the function `system`");
}
