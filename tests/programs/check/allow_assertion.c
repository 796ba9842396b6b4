// expect: verified
// selvedge: --allow assertion
// also: --allow assertion --model rc11 => verified
// A failed assertion ends the process: there is nothing behind it.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  assert(0);
  abort();
}
