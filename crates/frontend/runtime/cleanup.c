/* Cleanup handlers: our own pthread.h has macros that keep them in frames of the
 * callers' stacks (glibc's need setjmp); the list of them belongs to the thread. */
#include "../../clang/include/selvedge_cleanup.h"
#include "model.h"

static _Thread_local struct __selvedge_cleanup *innermost;

void __selvedge_cleanup_push(struct __selvedge_cleanup *frame,
                             void (*routine)(void *), void *argument) {
  frame->routine = routine;
  frame->argument = argument;
  frame->outer = innermost;
  innermost = frame;
}

/* A handler is off the list before it runs. */
void __selvedge_cleanup_pop(int execute) {
  struct __selvedge_cleanup *frame = innermost;
  innermost = frame->outer;
  if (execute) frame->routine(frame->argument);
}

void __model_run_cleanup(void) {
  while (innermost != NULL) __selvedge_cleanup_pop(1);
}
