// expect: out-of-bounds line 13
// both threads see one free cell and both claim one
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int used;
static int *cells;

static void *claim(void *arg)
{
    if (atomic_load(&used) < 1)
        cells[atomic_fetch_add(&used, 1)] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    cells = malloc(sizeof *cells);
    pthread_create(&t, NULL, claim, NULL);
    claim(NULL);
    pthread_join(t, NULL);
    free(cells);
    return 0;
}
