/* errno: one plain variable per thread. The machine sets it, too, when one of
 * its mathematical functions reports an error; it knows the variable by name. */
#include <errno.h>

_Thread_local int __model_errno;

int *__errno_location(void) { return &__model_errno; }
