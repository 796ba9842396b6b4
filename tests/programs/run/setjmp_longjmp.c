// setjmp and longjmp: error handling out of nested calls, repeated jumps, volatile and memory variables.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf place;
static int counter;

static void deep(int level) {
    int local[4] = {level, level + 1, level + 2, level + 3};
    if (level == 5) {
        counter += local[3];
        longjmp(place, counter);
    }
    deep(level + 1);
}

struct handler {
    jmp_buf buffer;
    struct handler *outer;
};

static struct handler *current;

static void raise_error(int code) {
    if (current == NULL) {
        printf("unhandled %d\n", code);
        exit(3);
    }
    struct handler *top = current;
    current = top->outer;
    longjmp(top->buffer, code);
}

static int divide(int a, int b) {
    if (b == 0)
        raise_error(7);
    return a / b;
}

static int attempt(int a, int b) {
    struct handler here;
    here.outer = current;
    current = &here;
    int code = setjmp(here.buffer);
    if (code != 0) {
        printf("caught %d for %d/%d\n", code, a, b);
        return -1;
    }
    int result = divide(a, b);
    current = here.outer;
    return result;
}

int main(void) {
    volatile int tries = 0;
    int before = 42;
    int code = setjmp(place);
    printf("setjmp gives %d, before %d, tries %d\n", code, before, tries);
    if (tries < 3) {
        tries++;
        deep(0);
    }
    printf("counter %d\n", counter);
    printf("%d %d %d\n", attempt(10, 2), attempt(1, 0), attempt(9, 3));
    if (setjmp(place) == 0)
        longjmp(place, 0);
    else
        printf("zero becomes one\n");
    raise_error(9);
    return 0;
}
