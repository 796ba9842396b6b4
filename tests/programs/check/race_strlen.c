// expect: data-race line 10|18
// strlen reads a string that another thread shortens
#include <pthread.h>
#include <string.h>

static char text[4] = "abc";

static void *worker(void *arg)
{
    text[1] = 0;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    size_t length = strlen(text);
    pthread_join(t, NULL);
    return length > 3;
}
