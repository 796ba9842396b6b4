/* What a failed assert() calls. The texts are constants of the program, so they
 * may go to the machine as they are. */
#define _GNU_SOURCE
#include "selvedge_builtins.h"

#include <assert.h>
#include <string.h>

_Noreturn void __assert_fail(const char *expression, const char *file,
                             unsigned line, const char *function) {
  __selvedge_assert_fail(expression, file, line, function);
}

/* assert_perror(): the texts of strerror() for known errors are constants. */
_Noreturn void __assert_perror_fail(int number, const char *file, unsigned line,
                                    const char *function) {
  __selvedge_assert_fail(strerror(number), file, line, function);
}

_Noreturn void __assert(const char *expression, const char *file, int line) {
  __selvedge_assert_fail(expression, file, (unsigned)line, "");
}
