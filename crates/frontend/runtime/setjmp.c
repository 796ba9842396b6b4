/* Non-local jumps: the machine's call stack cannot be unwound by a program, so
 * all of them stop it with a clear message. */
#include "selvedge_builtins.h"

#include <setjmp.h>

#undef setjmp
#undef _setjmp
#undef sigsetjmp

int setjmp(jmp_buf place) {
  (void)place;
  __selvedge_unsupported("setjmp");
}

int _setjmp(jmp_buf place) {
  (void)place;
  __selvedge_unsupported("setjmp");
}

int __sigsetjmp(jmp_buf place, int save_mask) {
  (void)place, (void)save_mask;
  __selvedge_unsupported("sigsetjmp");
}

_Noreturn void longjmp(jmp_buf place, int value) {
  (void)place, (void)value;
  __selvedge_unsupported("longjmp");
}

_Noreturn void _longjmp(jmp_buf place, int value) {
  (void)place, (void)value;
  __selvedge_unsupported("longjmp");
}

_Noreturn void siglongjmp(sigjmp_buf place, int value) {
  (void)place, (void)value;
  __selvedge_unsupported("siglongjmp");
}

_Noreturn void __longjmp_chk(jmp_buf place, int value) {
  (void)place, (void)value;
  __selvedge_unsupported("longjmp");
}
