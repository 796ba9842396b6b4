// expect: data-race line 10|19
// memcpy reads what another thread writes
#include <pthread.h>
#include <string.h>

static char text[8] = "abcdefg";

static void *worker(void *arg)
{
    text[6] = 'x';
    return arg;
}

int main(void)
{
    pthread_t t;
    char copy[8];
    pthread_create(&t, NULL, worker, NULL);
    memcpy(copy, text, sizeof copy);
    pthread_join(t, NULL);
    return copy[0] != 'a';
}
