// expect: ok
// a jump into a function that is still there
#include <setjmp.h>

static jmp_buf place;

static void go(void) { longjmp(place, 1); }

int main(void) {
    if (setjmp(place) != 0)
        return 0;
    go();
    return 1;
}
