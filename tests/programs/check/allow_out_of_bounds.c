// expect: bounded
// selvedge: --allow out-of-bounds
// also: --allow out-of-bounds --model tso => bounded
// also: --allow out-of-bounds --model rc11 => bounded
// Undefined behaviour that is allowed stops the thread, and is no proof of anything.
#include <assert.h>
int main(void) {
  int array[2] = {0, 1};
  volatile int index = 2;
  array[index] = 1;
  assert(0);
}
