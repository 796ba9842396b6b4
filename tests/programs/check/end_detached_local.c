// expect: verified
// a detached thread works on its own copy; main returns whenever it likes
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg)
{
    int *number = arg;
    *number += 1;
    assert(*number == 5);
    free(number);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *number = malloc(sizeof *number);
    *number = 4;
    pthread_create(&t, NULL, worker, number);
    pthread_detach(t);
    return 0;
}
