// expect: verified
// executions: 1
// printing is not a visible operation: threads that only print do not multiply executions
#include <pthread.h>
#include <stdio.h>

static void *worker(void *arg)
{
    puts("hello");
    printf("%d\n", 42);
    fprintf(stderr, "done\n");
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, worker, NULL);
    pthread_create(&u, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
