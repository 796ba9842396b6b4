// expect: data-race line 10|18
// memset against a read of one element
#include <pthread.h>
#include <string.h>

static int numbers[3] = {1, 2, 3};

static void *worker(void *arg)
{
    memset(numbers, 0, sizeof numbers);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int number = numbers[2];
    pthread_join(t, NULL);
    return number == 1;
}
