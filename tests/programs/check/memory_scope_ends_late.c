// expect: dead-stack line 21
// the end of a scope comes right after a step that only looks; other ways to end one: a block, a variable-length array,
// the end of a thread, longjmp
// also: --explorer graph => dead-stack line 21
// also: --model rc11 => dead-stack line 21
// also: --model rc11 -- -DBLOCK => dead-stack line 21
// also: --model rc11 -- -DARRAY => dead-stack line 21
// also: --model rc11 -- -DEXIT => dead-stack line 21
// also: --model rc11 -- -DJUMP => dead-stack line 21
// also: --explorer exhaustive -- -DJUMP => dead-stack line 21
// also: --model tso -- -DARRAY => dead-stack line 21
// also: --model ra -- -DJOINS => verified
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
static atomic_int go;
static jmp_buf back;
static pthread_t reader;
static void *reads(void *lent) {
    go = 1;
    (void)atomic_load((atomic_int *)lent);
    return 0;
}
static void lend(atomic_int *lent) {
    pthread_create(&reader, 0, reads, lent);
    (void)atomic_load(&go);
#ifdef JOINS
    pthread_join(reader, 0);
#endif
}
static void *lends(void *argument) {
#ifdef BLOCK
    {
        atomic_int local = 0;
        lend(&local);
    }
    (void)atomic_load(&go);
#elif defined ARRAY
    int size = 1;
    {
        atomic_int local[size];
        local[0] = 0;
        lend(local);
    }
    (void)atomic_load(&go);
#else
    atomic_int local = 0;
    lend(&local);
#endif
#ifdef EXIT
    pthread_exit(argument);
#endif
#ifdef JUMP
    longjmp(back, 1);
#endif
    return argument;
}
int main(void) {
#ifdef EXIT
    pthread_t lender;
    pthread_create(&lender, 0, lends, 0);
    pthread_join(lender, 0);
#else
    if (!setjmp(back)) lends(0);
#endif
#ifndef JOINS
    pthread_join(reader, 0);
#endif
    return 0;
}
