// expect: verified
// output from several threads
#include <pthread.h>
#include <stdio.h>

static void *worker(void *arg)
{
    printf("thread %s\n", (const char *)arg);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    char first[] = "one", second[] = "two";
    pthread_create(&one, NULL, worker, first);
    pthread_create(&two, NULL, worker, second);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    puts("joined");
    return 0;
}
