/* Cleanup handlers of POSIX threads, as Selvedge has them: a list of frames in
 * the callers' stacks. */
#ifndef SELVEDGE_CLEANUP_H
#define SELVEDGE_CLEANUP_H

#ifdef __cplusplus
extern "C" {
#endif

struct __selvedge_cleanup {
  void (*routine)(void *);
  void *argument;
  struct __selvedge_cleanup *outer;
};

void __selvedge_cleanup_push(struct __selvedge_cleanup *frame,
                             void (*routine)(void *), void *argument);
void __selvedge_cleanup_pop(int execute);

#ifdef __cplusplus
}
#endif

#endif
