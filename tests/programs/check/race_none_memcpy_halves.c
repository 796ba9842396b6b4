// expect: verified
// two threads copy into different halves of a buffer
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[8];

static void *worker(void *arg)
{
    memcpy(text, "abcd", 4);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    memcpy(text + 4, "efg", 4);
    pthread_join(t, NULL);
    assert(strcmp(text, "abcdefg") == 0);
    return 0;
}
