// expect: dead-stack line 23
// the scope of a local variable ends in a step that has nothing to do with whoever accesses it
// also: -- -DWAITS => verified
// also: --model tso => dead-stack line 23
// also: --model pso => dead-stack line 23
// also: --model rc11 => dead-stack line 23
// also: --model ra => dead-stack line 23
// also: --explorer graph => dead-stack line 23
#include <pthread.h>
#include <stdatomic.h>

static atomic_int seen, done;
static _Atomic(atomic_int *) shared;

static void *reads(void *arg) {
    atomic_int *other = shared;
    if (other) {
        seen = 1;
#ifdef WAITS
        atomic_load(other);
        done = 1;
#else
        atomic_load(other);
#endif
    }
    return arg;
}

static void lends(void) {
    atomic_int local = 0;
    shared = &local;
#ifdef WAITS
    pthread_t thread;
    pthread_create(&thread, 0, reads, 0);
    pthread_join(thread, 0);
#else
    if (!seen) shared = 0;
#endif
}

int main(void) {
#ifndef WAITS
    pthread_t thread;
    pthread_create(&thread, 0, reads, 0);
    lends();
    pthread_join(thread, 0);
#else
    lends();
#endif
    return 0;
}
