// selvedge: --allow data-race
// expect: use-after-free line 26
// a thread goes round a loop in vain while another one frees what it looks at
// also: --allow data-race --explorer exhaustive => use-after-free line 26
// also: --allow data-race --model tso => use-after-free line 26
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *flag;

static void *frees(void *argument)
{
    atomic_int *own = argument;
    atomic_store(own, 2);
    atomic_store(own, 3);
    free(own);
    return NULL;
}

int main(void)
{
    flag = calloc(1, sizeof *flag);
    pthread_t thread;
    pthread_create(&thread, NULL, frees, flag);
    while (atomic_load(flag) != 4) {
    }
    pthread_join(thread, NULL);
    return 0;
}
