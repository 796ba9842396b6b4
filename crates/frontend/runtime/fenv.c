/* The floating-point environment: the machine always rounds to nearest and keeps
 * no exception flags. Asking for another rounding is unsupported; flags can be
 * raised and cleared, and none is ever seen. */
#define _GNU_SOURCE
#include "selvedge_builtins.h"

#include <fenv.h>

int fegetround(void) { return FE_TONEAREST; }

int fesetround(int rounding) {
  if (rounding != FE_TONEAREST) {
    __selvedge_unsupported("fesetround to anything but FE_TONEAREST");
  }
  return 0;
}

int __fesetround(int rounding) { return fesetround(rounding); }

int feclearexcept(int exceptions) {
  (void)exceptions;
  return 0;
}

int feraiseexcept(int exceptions) {
  (void)exceptions;
  return 0;
}

int fetestexcept(int exceptions) {
  (void)exceptions;
  return 0;
}

int fegetexceptflag(fexcept_t *flags, int exceptions) {
  (void)exceptions;
  *flags = 0;
  return 0;
}

int fesetexceptflag(const fexcept_t *flags, int exceptions) {
  (void)flags, (void)exceptions;
  return 0;
}

int fegetenv(fenv_t *environment) {
  __builtin_memset(environment, 0, sizeof *environment);
  return 0;
}

int fesetenv(const fenv_t *environment) {
  (void)environment;
  return 0;
}

int feholdexcept(fenv_t *environment) { return fegetenv(environment); }

int feupdateenv(const fenv_t *environment) {
  (void)environment;
  return 0;
}

/* Traps are always off. */
int fegetexcept(void) { return 0; }
int fedisableexcept(int exceptions) {
  (void)exceptions;
  return 0;
}

int feenableexcept(int exceptions) {
  (void)exceptions;
  __selvedge_unsupported("the function `feenableexcept`");
}
