/* The system's pthread.h, but with cleanup handlers that need no setjmp. */
#ifndef SELVEDGE_PTHREAD_H
#define SELVEDGE_PTHREAD_H

#include_next <pthread.h>

#include <selvedge_cleanup.h>

#undef pthread_cleanup_push
#undef pthread_cleanup_pop

#define pthread_cleanup_push(routine, argument) \
  do { \
    struct __selvedge_cleanup __selvedge_frame; \
    __selvedge_cleanup_push(&__selvedge_frame, (routine), (argument));
#define pthread_cleanup_pop(execute) \
    __selvedge_cleanup_pop(execute); \
  } while (0)

/* Cancellation is not modelled, so there is nothing to defer. */
#ifdef pthread_cleanup_push_defer_np
#undef pthread_cleanup_push_defer_np
#undef pthread_cleanup_pop_restore_np
#define pthread_cleanup_push_defer_np(routine, argument) \
  pthread_cleanup_push(routine, argument)
#define pthread_cleanup_pop_restore_np(execute) pthread_cleanup_pop(execute)
#endif

#endif
