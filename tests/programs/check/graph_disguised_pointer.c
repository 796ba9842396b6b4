// selvedge: --model rc11
// expect: assertion line 45
// a thread's own object is found by another, who has a disguised pointer: the owner goes on differently when it is told the same
// also: --model sc --explorer graph => assertion line 45
// also: --model tso --explorer vieq => assertion line 45
// also: --model pso --explorer mcr => assertion line 45
// also: --model tso --explorer se-mcr => assertion line 45
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

_Atomic uintptr_t hidden;
atomic_int x, y, late;

static void *owner(void *argument) {
    int *box = malloc(sizeof *box);
    *box = 1;
    atomic_store(&hidden, ~(uintptr_t)box);
    atomic_store(&late, 1);
    int seen = atomic_load(&x);
    if (*box == 2 && seen == 1)
        atomic_store(&y, 1);
    return argument;
}

static void *finder(void *argument) {
    if (!atomic_load(&late)) {
        uintptr_t word = atomic_load(&hidden);
        if (word)
            *(int *)~word = 2;
    }
    atomic_store(&x, 1);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, owner, 0);
    pthread_create(&threads[1], 0, finder, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    // The owner has seen what the finder has written.
    assert(!atomic_load(&y));
    return 0;
}
