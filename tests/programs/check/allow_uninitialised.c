// expect: assertion line 8
// selvedge: --check uninitialised --allow uninitialised
// A value that was never set is one like any other, if that is allowed.
#include <assert.h>
int main(void) {
  int x;
  if (x != 0) return 1;
  assert(x == 1);
}
