// expect: use-after-free line 17
// selvedge: --allow data-race
// an access that nothing orders with a free may come after it; the other order is fine
// also: --allow data-race --model rc11 => use-after-free line 17
// also: --allow data-race -- -DORDERED => verified
// also: --allow data-race --model rc11 -- -DORDERED => verified
// also: --allow data-race --explorer graph --model tso => use-after-free line 17
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static atomic_int *current;

static void *reads(void *arg) {
#ifndef ORDERED
    flag = 1, atomic_load(current);
#else
    atomic_load(current), flag = 1;
#endif
    return arg;
}

static void *frees(void *arg) {
#ifndef ORDERED
    if (!flag) free((void *)current);
#else
    if (flag) free((void *)current);
#endif
    return arg;
}

int main(void) {
    pthread_t a, b;
    current = malloc(sizeof *current);
    atomic_init(current, 0);
    pthread_create(&a, 0, reads, 0), pthread_create(&b, 0, frees, 0);
    pthread_join(a, 0), pthread_join(b, 0);
    return 0;
}
