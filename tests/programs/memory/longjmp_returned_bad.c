// expect: dead-stack line 12
// a jump into a function that has returned
#include <setjmp.h>

static jmp_buf place;

static int set(void) { return setjmp(place); }

int main(void) {
    if (set() != 0)
        return 1;
    longjmp(place, 1);
}
